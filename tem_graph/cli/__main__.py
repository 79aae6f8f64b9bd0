"""`python -m tem_graph.cli`, where no script is installed."""

from tem_graph.cli import main

main()
