"""What one side had added and the merge lost (sync.md, phase 1 point 10). Compares texts, decides
dispositions."""
