"""Repairs of what a merge broke, one cause a file, only where they are certain. Text to text.

A repair that does not lower the number of faults is undone by `engine`; none of them knows of the
others.
"""
