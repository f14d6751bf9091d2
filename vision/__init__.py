"""Pixels in, a Reading out; knows no game."""
