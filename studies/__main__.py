"""`python -m studies` is the command line."""

from studies.cli import main

main()
