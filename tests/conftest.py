"""Nothing in the tests may touch HOME, the user's git configuration, or the network beyond loopback."""
