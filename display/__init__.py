"""A game's state in, a picture out; decides nothing."""
