"""Exact arithmetic for games of chance: chains that end, with fractions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

Chain = Mapping[Hashable, Mapping[Hashable, Fraction]]
"""Node -> chance of every next node; a node that is no key of the mapping is an end."""


def solve(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """The solution of a system of linear equations, exact (Gauss and Jordan)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [value / head for value in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [
                    one - factor * two for one, two in zip(rows[row], rows[column], strict=True)
                ]
    return [row[-1] for row in rows]


def _expected(chain: Chain, gain: Mapping[Hashable, Fraction]) -> dict[Hashable, Fraction]:
    """The x with x(node) = gain(node) + sum of chance times x(next), and 0 at the ends."""
    nodes = list(chain)
    matrix = [
        [
            Fraction(one is two) - chain[nodes[i]].get(nodes[j], Fraction(0))
            for j, two in enumerate(nodes)
        ]
        for i, one in enumerate(nodes)
    ]
    return dict(zip(nodes, solve(matrix, [gain[node] for node in nodes]), strict=True))


def endings(chain: Chain, start: Hashable) -> dict[Hashable, Fraction]:
    """The chance of every end, from `start`."""
    ends = {after for nexts in chain.values() for after in nexts if after not in chain}
    found = {}
    for end in ends:
        gain = {node: nexts.get(end, Fraction(0)) for node, nexts in chain.items()}
        found[end] = _expected(chain, gain)[start]
    return found


def steps(chain: Chain, start: Hashable) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of steps from `start` to an end."""
    one = {node: Fraction(1) for node in chain}
    mean = _expected(chain, one)
    # N = 1 + N', so the second moment is 1 + 2 E N' + E N'^2, and E N' = E N - 1.
    second = _expected(chain, {node: 2 * mean[node] - 1 for node in chain})
    return mean[start], second[start] - mean[start] ** 2


def ended_within(chain: Chain, start: Hashable, count: int) -> list[Fraction]:
    """The chance to have ended within 0, 1 … `count` steps."""
    where: dict[Hashable, Fraction] = {start: Fraction(1)}
    ended = [Fraction(0)]
    for _ in range(count):
        after: dict[Hashable, Fraction] = {}
        for node, chance in where.items():
            for following, part in chain[node].items():
                after[following] = after.get(following, Fraction(0)) + chance * part
        ended.append(ended[-1] + sum(c for node, c in after.items() if node not in chain))
        where = {node: chance for node, chance in after.items() if node in chain}
    return ended
