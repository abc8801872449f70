"""`python -m nightshift` is the console script."""

from nightshift.cli.main import script

if __name__ == "__main__":
    script()
