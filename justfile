# Recipes for people who work on tem-graph; `scripts/test` and CI run `check`.

bin := justfile_directory() / ".venv/bin"

# List the recipes
default:
    @just --list

# Format the code
fmt:
    {{bin}}/ruff check --fix .
    {{bin}}/ruff format .

# Style, types, and who may import whom
lint:
    {{bin}}/ruff check .
    {{bin}}/ruff format --check .
    {{bin}}/mypy
    {{bin}}/lint-imports

# Unit tests: seconds, no service
test *args:
    {{bin}}/python -m pytest tests/unit --doctest-modules tem_graph {{args}}

# Everything but the slow tests; starts and stops its own Neo4j
test-all *args:
    {{bin}}/python -m pytest -m "not slow" --doctest-modules tem_graph tests {{args}}

# What needs a real language model or a long load
test-slow *args:
    {{bin}}/python -m pytest -m slow tests {{args}}

# What CI runs
check: lint test-all

# Start the local Neo4j
up:
    {{bin}}/tem-graph server start

# Renew the locks (hashes, no addresses)
lock:
    uv pip compile -q --universal --generate-hashes --python-version 3.11 --extra demo pyproject.toml -o requirements/demo.txt
    uv pip compile -q --universal --generate-hashes --python-version 3.11 --extra demo --extra evaluate --group dev pyproject.toml -o requirements/dev.txt
