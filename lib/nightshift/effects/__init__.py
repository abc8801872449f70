"""Effects are values: what a mode wants written. `apply` is the only place that writes them."""
