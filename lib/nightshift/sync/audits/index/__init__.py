"""What a tree of Python files defines and uses, from their syntax alone. Runs none of it, decides
nothing."""
