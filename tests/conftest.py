"""For all tests: generated examples have no time limit, for a busy machine is no fault."""

from hypothesis import settings

settings.register_profile("dicetable", deadline=None)
settings.load_profile("dicetable")
