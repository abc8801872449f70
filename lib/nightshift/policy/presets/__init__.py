"""Presets: data only. All that names a real repository is here."""
