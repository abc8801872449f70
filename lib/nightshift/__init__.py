"""nightshift: triage by a declarative rubric, and main merged into a long-lived branch, every
night."""

__version__ = "0.1.0"
