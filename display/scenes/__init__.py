"""The screens, one file each.

A scene is a function `draw(canvas, view, words, now, room)`: it draws a view into a box and decides
nothing. The frame around it (headline, story, buttons) is drawn by `display.frame`.
"""
