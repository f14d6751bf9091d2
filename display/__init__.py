"""A game's state in, a picture out; decides nothing.

SDL reads its environment when pygame is imported, so it is set here, before any module of ours can
import pygame. What the caller has set already is left alone.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# SDL would take SIGTERM and turn it into an event; stopping is the application's business.
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
# A touch is reported once, as a touch; not as a mouse click as well.
os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")
