"""Figures by the hundred: random sculpts of many families, in parts that are painted differently.

A sculpt is a list of (mesh, role): `own` has the player's colour, other roles the colours of its painter. It stands on
z = 0 around the origin; its base is round where it has one.
"""

import numpy as np

from tests.rendering import creatures
from tests.rendering.shapes import (
    Mesh,
    about_x,
    about_z,
    ball,
    box,
    foot,
    lathe,
    merged,
    moved,
    panel,
    scaled,
    slab,
    tube,
    turned,
)


def pawn(rng, height, radius):
    neck = rng.uniform(0.55, 0.72) * height
    head = min(rng.uniform(0.12, 0.2) * height, radius)
    waist = rng.uniform(0.25, 0.75) * radius
    profile = [
        (radius, 0),
        (radius * rng.uniform(0.9, 1), height * 0.07),
        (waist * rng.uniform(0.9, 1.5), height * 0.16),
    ]
    profile += [(waist, neck * rng.uniform(0.4, 0.8)), (waist * rng.uniform(0.5, 1), neck)]
    if rng.random() < 0.4:
        collar = waist * rng.uniform(1.1, 1.7)
        profile += [(collar, neck), (collar, neck + 1.2)]
    body = lathe(profile, 28)
    top = ball((0, 0, height - head), head)
    return [(body, "own"), (scaled(top, 1), "own")]


def capsule(rng, height, radius):
    base, thick = foot(rng, radius)
    thin = rng.uniform(0.35, 0.8) * radius
    body = tube(
        (0, 0, thick + thin * rng.uniform(0.3, 1)), (0, 0, height - thin), thin, thin * rng.uniform(0.7, 1.1), 24
    )
    return [(base, "own"), (body, "own")]


def cone(rng, height, radius):
    profile = [(radius, 0), (radius, height * 0.05), (radius * rng.uniform(0.1, 0.4), height * rng.uniform(0.8, 0.95))]
    parts = [(lathe([*profile, (0.3, height)], 28), "own")]
    if rng.random() < 0.5:
        size = radius * rng.uniform(0.3, 0.5)
        parts.append((ball((0, 0, height - size), size), rng.choice(["own", "own", "skin", "light"])))
    return parts


def _direction(rng, out, side):
    """Return a limb's direction: `out` from straight down (0) to straight up (pi), to a side, any way round."""
    swing = rng.normal(0, 0.7)
    return np.array([side * np.sin(out) * np.cos(swing), np.sin(out) * np.sin(swing), -np.cos(out)])


def _hat(rng, size):
    """Return what a head (a ball of that size at the origin) wears, or nothing."""
    kind = rng.integers(7)
    if kind == 0:
        return lathe([(size * 1.2, size * 0.3), (size * 0.2, size * rng.uniform(1.6, 2.6))], 14)
    if kind == 1:
        brim = size * rng.uniform(1.3, 2.0)
        crown = [(brim, size * 0.5), (brim, size * 0.7), (size * 0.8, size * 0.7)]
        return lathe([*crown, (size * 0.7, size * rng.uniform(1.2, 1.8))], 16)
    if kind == 2:
        return lathe([(size * 1.15, size * 0.1), (size * 1.05, size * 0.9), (size * 0.4, size * 1.3)], 14)
    if kind == 3:
        return box((0, 0, size * 0.9), (size * 2.1, size * 2.1, size * 0.5))
    return ball((0, 0, 0), size * 1.15) if kind == 4 else None


def _arms(rng, shoulder, size, reach, thick):
    """Return two arms of two parts each, and what a hand may hold."""
    parts, style = [], rng.integers(6)
    for side in (-1, 1):
        out = {
            0: rng.uniform(0.05, 0.4),
            1: rng.uniform(0.5, 1.3),
            2: rng.uniform(1.3, 2.0),
            3: rng.uniform(2.2, 3.0),
        }.get(int(style), rng.uniform(0.05, 3.0))
        start = np.array([side * size, 0, shoulder])
        elbow = start + _direction(rng, out, side) * reach * 0.5
        hand = (
            elbow
            + _direction(rng, np.clip(out + rng.normal(0, 0.7), 0, 3.1), side * rng.choice([1, 1, -0.5])) * reach * 0.5
        )
        hand[2] = max(hand[2], thick * 2)
        parts += [
            (tube(start, elbow, thick, thick * 0.9), "sleeve"),
            (tube(elbow, hand, thick * 0.9, thick * 0.8), "sleeve"),
        ]
        parts.append((ball(hand, thick * 1.15, 10), "skin"))
        if rng.random() < 0.22:
            tip = np.add(rng.normal(0, 1, 3), (0, 0, rng.choice([-1, 2])))
            tip *= reach * rng.uniform(0.5, 1.6) / np.linalg.norm(tip)
            low = hand - tip * rng.uniform(0, 0.6)
            end = hand + tip
            low[2], end[2] = max(low[2], 2), max(end[2], 2)
            parts.append((tube(low, end, thick * rng.uniform(0.3, 0.7), around=8), "gear"))
        elif rng.random() < 0.08:
            disc = turned(lathe([(reach * 0.35, -0.6), (reach * 0.35, 0.6)], 16), about_x(np.pi / 2))
            parts.append((moved(disc, hand), "gear"))
    return parts


def _person(rng, height, radius, stout):
    base, thick = foot(rng, radius)
    tall = height - thick
    head = tall * (rng.uniform(0.1, 0.19) if stout else rng.uniform(0.065, 0.1))
    wide = tall * (rng.uniform(0.14, 0.24) if stout else rng.uniform(0.085, 0.13))
    leg = tall * (rng.uniform(0.2, 0.38) if stout else rng.uniform(0.4, 0.52))
    limb = tall * (rng.uniform(0.05, 0.09) if stout else rng.uniform(0.028, 0.05))
    hips, neck = thick + leg, height - 2 * head
    lean = np.array([0, rng.normal(0, 0.1) * tall, 0])
    parts = [(base, rng.choice(["own", "own", "dark"]))]
    stride = rng.normal(0, 0.32)
    bent = rng.uniform(0.22, 0.36) if rng.random() < 0.15 else 0.18  # on their knees or about to jump, or upright
    for side in (-1, 1):
        hip = np.array([side * wide * 0.5, 0, hips])
        swing = side * stride + rng.normal(0, 0.08)
        sole = np.array([side * wide * rng.uniform(0.4, 0.9), np.sin(swing) * leg, thick + limb * 0.8])
        knee = (hip + sole) / 2 + [0, bent * rng.uniform(0, 1) * leg, 0]
        parts += [(tube(hip, knee, limb * 1.25, limb), "legs"), (tube(knee, sole, limb, limb * 0.9), "legs")]
        parts.append((tube(sole, np.add(sole, (0, limb * rng.uniform(1, 2), 0)), limb, around=8), "gear"))
    chest = np.array([0, 0, neck - wide * 0.5]) + lean
    trunk = tube(
        (0, 0, 0),
        (0, 0, max(neck - hips - wide * 0.3, 1)),
        wide * rng.uniform(0.65, 1),
        wide * rng.uniform(0.8, 1.15),
        16,
    )
    trunk = scaled(trunk, (1, rng.uniform(0.55, 0.95), 1))
    shear = np.eye(3)
    shear[1, 2] = lean[1] / max(neck - hips, 1)
    parts.append((moved(turned(trunk, shear), (0, 0, hips)), "own"))
    top = np.add(chest, (rng.normal(0, 0.1) * head, rng.normal(0.2, 0.3) * head, wide * 0.5 + head))
    parts.append((scaled(ball((0, 0, 0), head), (rng.uniform(0.8, 1.1), rng.uniform(0.85, 1.15), 1)), "skin"))
    parts[-1] = (moved(parts[-1][0], top), "skin")
    hat = _hat(rng, head)
    if hat is not None:
        parts.append((moved(hat, top), "gear"))
    parts += [
        (moved(mesh, lean), role)
        for mesh, role in _arms(rng, neck - wide * 0.3, wide, tall * rng.uniform(0.3, 0.42), limb)
    ]
    if rng.random() < 0.25:
        parts.append(
            (
                moved(
                    turned(
                        box((0, 0, 0), (wide * 1.6, 1, tall * rng.uniform(0.3, 0.6))), about_x(rng.uniform(-0.4, -0.05))
                    ),
                    np.add(chest, (0, -wide, -tall * 0.18)),
                ),
                "own",
            )
        )
    elif rng.random() < 0.2:
        parts.append((box(np.add(chest, (0, -wide, 0)), (wide * 1.3, wide, wide * 1.5)), "gear"))
    if rng.random() < 0.2:
        skirt = lathe([(wide * rng.uniform(1, 1.9), thick + leg * rng.uniform(0.1, 0.5)), (wide * 0.8, hips + 1)], 16)
        parts.append((skirt, "own"))
    return parts


def walker(rng, height, radius):
    return _person(rng, height, radius, stout=False)


def stout(rng, height, radius):
    return _person(rng, height, radius, stout=True)


def robed(rng, height, radius):
    base, thick = foot(rng, radius)
    tall, head = height - thick, (height - thick) * rng.uniform(0.08, 0.16)
    wide = min(radius * rng.uniform(0.55, 1.0), tall * 0.3)
    neck = height - 2 * head
    gown = lathe(
        [(wide, thick), (wide * rng.uniform(0.6, 0.95), thick + tall * 0.3), (wide * rng.uniform(0.3, 0.6), neck)], 18
    )
    parts = [(base, "own"), (scaled(gown, (1, rng.uniform(0.7, 1), 1)), "own")]
    top = np.array([0, rng.normal(0, 0.3) * head, neck + head * 0.9])
    parts.append((ball(top, head), "skin"))
    hat = _hat(rng, head)
    if hat is not None:
        parts.append((moved(hat, top), "gear"))
    return parts + _arms(
        rng, neck - head * 0.4, wide * 0.45, tall * rng.uniform(0.3, 0.45), tall * rng.uniform(0.035, 0.07)
    )


def meeple(rng, height, radius):
    """A wooden person cut from a board."""
    wide, head = radius * rng.uniform(0.85, 1.2), height * rng.uniform(0.13, 0.18)
    arm, waist = height * rng.uniform(0.45, 0.62), wide * rng.uniform(0.4, 0.65)
    half = [(wide * 0.9, 0), (wide, height * 0.06), (waist, arm - height * 0.12), (wide * 1.05, arm - height * 0.03)]
    half += [(wide * 1.0, arm + height * 0.07), (head * 0.9, height - 2.1 * head)]
    half += [(head * np.cos(a), height - head + head * np.sin(a)) for a in np.linspace(-0.9, np.pi / 2, 6)]
    outline = half + [(-x, z) for x, z in half[::-1]]
    return [(slab(outline, min(radius * rng.uniform(0.7, 1.1), 11)), "own")]


def tent(rng, height, radius):
    """Paper folded over its upper edge, its feet apart, with a face on it."""
    low, high, deep = radius, radius * rng.uniform(0.3, 0.95), radius * rng.uniform(0.35, 0.9)
    parts = []
    for side in (-1, 1):
        corners = [(-low, side * deep, 0), (low, side * deep, 0), (high, 0, height), (-high, 0, height)]
        parts.append((panel(corners if side < 0 else corners[::-1]), "own"))
        if rng.random() < 0.7:
            for across in (-0.35, 0.35):
                part, size = rng.uniform(0.55, 0.8), rng.uniform(0.8, 1.9)
                x, z = across * high, part * height
                y = side * (deep * (1 - part) + 0.25)
                parts.append(
                    (
                        panel(
                            [
                                (x - size, y, z - size),
                                (x + size, y, z - size),
                                (x + size, y - side * 0.2, z + size),
                                (x - size, y - side * 0.2, z + size),
                            ]
                        ),
                        "light",
                    )
                )
    if rng.random() < 0.5:
        parts.append((panel([(-low, -deep, 0.2), (low, -deep, 0.2), (low, deep, 0.2), (-low, deep, 0.2)]), "own"))
    return parts


def pyramid(rng, height, radius):
    """Paper folded and glued to three or four sloping sides."""
    sides, top = int(rng.integers(3, 5)), rng.uniform(0.05, 0.55)
    body = lathe([(radius, 0), (radius * top, height)], sides)
    parts = [(turned(scaled(body, (1, rng.uniform(0.6, 1), 1)), about_z(np.pi / sides)), "own")]
    if rng.random() < 0.5:
        size = rng.uniform(0.8, 2.0)
        parts += [
            (ball((x, -radius * (1 - 0.6 * (1 - top)) * 0.6, height * 0.6), size, 8), "light") for x in (-2.2, 2.2)
        ]
    return parts


def standee(rng, height, radius):
    """A printed card that stands upright in a foot."""
    base, thick = foot(rng, radius)
    wide = radius * rng.uniform(0.6, 1.1)
    round_ = [(wide * np.cos(a), height - wide + wide * np.sin(a)) for a in np.linspace(0, np.pi, 9)]
    shape = slab([(wide, thick), *round_, (-wide, thick)], rng.uniform(0.6, 2))
    parts = [(base, rng.choice(["own", "dark"])), (shape, "own")]
    if rng.random() < 0.6:
        parts.append(
            (
                moved(
                    slab([(wide * 0.6 * np.cos(a), wide * 0.8 * np.sin(a)) for a in np.linspace(0, 6, 9)], 2.4),
                    (0, 0, height * 0.6),
                ),
                "light",
            )
        )
    return parts


def robot(rng, height, radius):
    base, thick = foot(rng, radius)
    tall = height - thick
    wide = tall * rng.uniform(0.22, 0.36)
    leg, head = tall * rng.uniform(0.2, 0.4), tall * rng.uniform(0.14, 0.26)
    body = tall - leg - head
    parts = [(base, "own")]
    parts += [
        (
            box((side * wide * 0.28, rng.normal(0, 0.06) * tall, thick + leg / 2), (wide * 0.35, wide * 0.45, leg)),
            "legs",
        )
        for side in (-1, 1)
    ]
    parts.append((box((0, 0, thick + leg + body / 2), (wide, wide * rng.uniform(0.5, 0.9), body)), "own"))
    size = wide * rng.uniform(0.5, 1.2)
    parts.append(
        (turned(box((0, 0, 0), (size, size * rng.uniform(0.7, 1.1), head * 0.9)), about_z(rng.normal(0, 0.4))), "own")
    )
    parts[-1] = (moved(parts[-1][0], (0, 0, height - head * 0.5)), rng.choice(["own", "gear"]))
    for side in (-1, 1):
        arm = box((0, 0, -body * 0.4), (wide * 0.24, wide * 0.28, body * rng.uniform(0.7, 1.1)))
        arm = turned(arm, about_x(rng.normal(0, 0.9)))
        parts.append((moved(arm, (side * wide * 0.63, 0, thick + leg + body * 0.92)), "sleeve"))
    if rng.random() < 0.4:
        parts.append((tube((0, 0, height - 1), (rng.normal(0, 1.5), 0, height + tall * 0.12), 0.5, around=6), "gear"))
    return parts


def beast(rng, height, radius):
    """An animal on four legs, which is longer than it is high or sits up."""
    base, thick = foot(rng, radius)
    tall = height - thick
    long, up = radius * rng.uniform(0.6, 1.0), rng.uniform(0, 1.1)
    deep = tall * rng.uniform(0.12, 0.2)
    back = np.array([0, -long * 0.7, thick + tall * rng.uniform(0.25, 0.4)])
    front = back + np.array([0, np.cos(up), np.sin(up)]) * long * 1.4
    head = np.add(front, (0, deep * 0.9, deep * rng.uniform(0.6, 1.6)))
    head[2] = min(head[2], height - deep * 0.6)
    parts = [
        (base, "own"),
        (tube(back, front, deep, deep * rng.uniform(0.7, 1.1)), "own"),
        (ball(head, deep * rng.uniform(0.6, 0.9)), "own"),
    ]
    parts.append((tube(head, np.add(head, (0, deep * 1.2, -deep * 0.3)), deep * 0.45, deep * 0.25), "own"))
    for end in (back, front):
        for side in (-1, 1):
            hip = np.add(end, (side * deep * 0.7, 0, 0))
            parts.append(
                (
                    tube(hip, (hip[0] * 1.2, hip[1] + rng.normal(0, 1.5), thick + 0.8), deep * 0.35, deep * 0.25, 8),
                    "legs",
                )
            )
    for side in (-1, 1):
        ear = np.add(head, (side * deep * 0.5, 0, deep * 0.5))
        parts.append((tube(ear, (ear[0] * 1.3, ear[1], height), deep * 0.3, 0.3, 8), "gear"))
    if rng.random() < 0.6:
        parts.append(
            (
                tube(back, np.add(back, (0, -deep * 1.5, deep * rng.uniform(-0.5, 2.5))), deep * 0.3, deep * 0.15, 8),
                "own",
            )
        )
    return parts


def heap(rng, height, radius):
    """Anything at all on a round base: its shape says nothing, its base says whether it stands."""
    base, thick = foot(rng, radius)
    parts = [(base, str(rng.choice(["own", "own", "dark"])))]
    at = np.array([0, 0, thick])
    for _ in range(int(rng.integers(2, 7))):
        size = radius * rng.uniform(0.25, 0.8)
        role = str(rng.choice(["own", "own", "own", "gear", "skin", "sleeve"]))
        end = np.clip(at + rng.normal(0, (0.6, 0.6, 0.9)) * radius, (-radius, -radius, thick), (radius, radius, height))
        kind = rng.integers(4)
        if kind == 0:
            mesh = tube(at, end, size * rng.uniform(0.3, 0.8), size * rng.uniform(0.2, 0.8))
        elif kind == 1:
            mesh = moved(turned(box((0, 0, 0), size * rng.uniform(0.5, 2, 3)), about_x(rng.normal(0, 0.6))), end)
        elif kind == 2:
            mesh = moved(scaled(ball((0, 0, 0), size), rng.uniform(0.6, 1.4, 3)), end)
        else:
            mesh = moved(lathe([(size, 0), (size * rng.uniform(0.1, 1.2), size * rng.uniform(0.8, 2.5))], 16), at)
        parts.append((mesh, role))
        at = end
    return parts


FAMILIES = {
    "pawn": pawn,
    "capsule": capsule,
    "cone": cone,
    "walker": walker,
    "stout": stout,
    "robed": robed,
    "meeple": meeple,
    "tent": tent,
    "pyramid": pyramid,
    "standee": standee,
    "robot": robot,
    "beast": beast,
    "heap": heap,
    **creatures.FAMILIES,
}


def sculpt(family, seed, height, radius):
    """Make one sculpt of a family, exactly as tall as asked: (parts, whole mesh)."""
    rng = np.random.default_rng(seed)
    parts = FAMILIES[family](rng, height, radius)
    tall = max(mesh.points[:, 2].max() for mesh, _ in parts)
    fitted = [(scaled(mesh, (1, 1, height / tall)), str(role)) for mesh, role in parts]
    return [(Mesh(np.maximum(mesh.points, (-np.inf, -np.inf, 0)), mesh.faces), role) for mesh, role in fitted]


def whole(parts):
    return merged(mesh for mesh, _ in parts)
