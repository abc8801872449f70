"""The container's entrypoint: one foreground run of the mode that the action's inputs name."""

import os
import sys

from nightshift import action

if __name__ == "__main__":
    sys.exit(action.main(os.environ))
