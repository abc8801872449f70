"""The formatters, as libraries: text in, text out. See `style`."""
