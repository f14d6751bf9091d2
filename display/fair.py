"""What can be said of dice, in plain words; the test itself is in `firmware.statistics_fair`."""

from __future__ import annotations

from display.view import DiceFigures
from display.words import Words


def name(words: Words, dice: DiceFigures) -> str:
    """The name of a dice set."""
    return dice.name or words.say("Dice without a name")


def verdict(words: Words, dice: DiceFigures) -> str:
    """The sentence that matters."""
    thrown = sum(dice.faces)
    if dice.few:
        return words.plural(
            "Only {n} die so far: too few to say anything.",
            "Only {n} dice so far: too few to say anything.",
            thrown,
        )
    if dice.unusual:
        return words.plural(
            "Unusual in {n} die thrown: look at these dice.",
            "Unusual in {n} dice thrown: look at these dice.",
            thrown,
        )
    return words.plural(
        "Nothing unusual in {n} die thrown.", "Nothing unusual in {n} dice thrown.", thrown
    )


def measured(words: Words, dice: DiceFigures) -> str:
    """The figure behind it, and how often luck alone does that."""
    if dice.few:
        return ""
    x = words.decimal(dice.chi_square, 1)
    if dice.chance >= 0.01:
        return words.say(
            "Chi-square {x}: of 100 fair sets {p} look at least as uneven.",
            x=x,
            p=round(100 * dice.chance),
        )
    if dice.unusual:
        return words.say(
            "Chi-square {x}: fewer than 1 fair set in {many} looks so uneven.",
            x=x,
            many=words.thousands(dice.level),
        )
    return words.say(
        "Chi-square {x}: of {many} fair sets one looks as uneven. With so many looks that happens.",
        x=x,
        many=words.thousands(round(1 / dice.chance)),
    )


def level(words: Words, dice: DiceFigures) -> str:
    """From where on the table speaks up, and why not sooner."""
    return words.say(
        "Called unusual only below 1 in {many}: who looks after every throw soon sees something "
        "rare.",
        many=words.thousands(dice.level),
    )
