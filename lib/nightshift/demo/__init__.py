"""The demonstration: one night of a made-up repository, both modes, real requests, nothing
outside."""
