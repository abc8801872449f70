"""Git, on GitPython: all questions and all writes, in a clone of our own. See `repository`."""
