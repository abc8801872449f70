"""The REST face of the sandbox: a module for each kind of thing, a table of endpoints over them."""
