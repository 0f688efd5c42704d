"""`python -m windrow`: the command line."""

from windrow.cli.app import main

if __name__ == "__main__":
    main()
