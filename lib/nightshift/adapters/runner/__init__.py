"""The runner adapter: Actions' own, or a terminal."""

from nightshift.adapters.runner.choose import runner_for

__all__ = ["runner_for"]
