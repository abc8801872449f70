"""The REST face of the sandbox: one module for each kind of thing, a table of endpoints over them."""
