"""What a repository wants, as data. No code knows a repository's name; a preset may."""
