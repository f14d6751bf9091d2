"""The judge: four games, pure; no clock, no chance, no files, no pixels."""
