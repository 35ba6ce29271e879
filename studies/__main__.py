"""`python -m studies` is the command line."""

from studies.cli import start

# Processes that the command line starts import this file too.
if __name__ == "__main__":
    start()
