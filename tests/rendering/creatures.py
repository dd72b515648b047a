"""More families of figures: big heads, bodies that are longer than high, busts, and totems of anything on a base."""

import numpy as np

from tests.rendering.shapes import about_x, about_z, ball, box, foot, lathe, mirrored, moved, scaled, tube, turned

SIDES = (-1, 1)


def _lump(rng, size):
    """Return a rounded thing of about that size (half its width), around the origin: a ball, a drum or a block."""
    kind = rng.integers(4)
    if kind == 0:
        mesh = box((0, 0, 0), 2 * size * rng.uniform(0.75, 1.1, 3))
    elif kind == 1:
        rim = size * rng.uniform(0.6, 1)
        mesh = lathe([(rim, -size), (size, -size * 0.5), (size, size * 0.5), (rim, size)], 18)
    else:
        mesh = scaled(ball((0, 0, 0), size, 18), rng.uniform(0.8, 1.2, 3))
    return mesh


def _on_head(rng, size):
    """Return what grows on a head of that size at the origin: ears, horns, an antenna, a crest, a beak; or nothing."""
    kind, role = rng.integers(6), str(rng.choice(["own", "gear", "light"]))
    if kind == 0:  # ears
        out, up = rng.uniform(0.4, 1.2), rng.uniform(0.6, 1.6)
        ear = tube((0, 0, 0), (size * 0.4 * out, 0, size * up), size * rng.uniform(0.2, 0.5), size * 0.1, 8)
        return [(mirrored(moved(ear, (size * 0.6, 0, size * 0.4)), side), role) for side in SIDES]
    if kind == 1:  # an antenna, or a horn
        tip = (0, rng.normal(0, 0.4) * size, size * rng.uniform(1.3, 2.2))
        return [(tube((0, 0, size * 0.6), tip, size * rng.uniform(0.06, 0.25), around=8), role)]
    if kind == 2:  # a beak or a snout
        tip = (0, size * rng.uniform(1.3, 2.1), size * rng.uniform(-0.5, 0.2))
        return [(tube((0, size * 0.5, 0), tip, size * rng.uniform(0.25, 0.6), size * rng.uniform(0.05, 0.4), 10), role)]
    if kind == 3:  # a crest along its middle
        return [(box((0, 0, size * 0.9), (size * 0.2, size * 1.6, size * rng.uniform(0.4, 1.1))), role)]
    if kind == 4:  # eyes
        eye = ball((size * 0.4, size * 0.85, size * 0.15), size * rng.uniform(0.15, 0.3), 8)
        return [(mirrored(eye, side), "light") for side in SIDES]
    return []


def bighead(rng, height, radius):
    """A big head on a small body with short limbs, as toys have."""
    base, thick = foot(rng, radius)
    tall = height - thick
    head, leg = tall * rng.uniform(0.17, 0.27), tall * rng.uniform(0.1, 0.3)
    body = tall - 2 * head - leg
    wide = tall * rng.uniform(0.11, 0.2)
    parts = [(base, str(rng.choice(["own", "own", "dark"])))]
    stride = rng.normal(0, 0.25) * leg
    for side in SIDES:
        hip, sole = (side * wide * 0.55, 0, thick + leg), (side * wide * rng.uniform(0.5, 1), side * stride, thick + 1)
        limb = wide * rng.uniform(0.25, 0.5)
        parts += [(tube(hip, sole, limb, limb), "legs"), (ball(np.add(sole, (0, limb * 0.6, 0)), limb * 1.2), "gear")]
    trunk = scaled(_lump(rng, 1.0), (wide, wide * rng.uniform(0.7, 1), max(body, wide) * 0.6))
    parts.append((moved(trunk, (0, 0, thick + leg + body / 2)), "own"))
    top = np.array([0, rng.normal(0, 0.15) * head, height - head])
    skull = turned(_lump(rng, head), about_z(rng.normal(0, 0.3)))
    parts.append((moved(skull, top), str(rng.choice(["own", "own", "skin"]))))
    parts += [(moved(mesh, top), role) for mesh, role in _on_head(rng, head)]
    alike, out = rng.random() < 0.6, rng.uniform(0.1, 2.6)
    for side in SIDES:
        out = out if alike else rng.uniform(0.1, 2.6)
        shoulder = np.array([side * wide, 0, thick + leg + body * 0.8])
        hand = shoulder + np.array([side * np.sin(out), rng.normal(0, 0.4), -np.cos(out)]) * tall * rng.uniform(
            0.15, 0.3
        )
        hand[2] = max(hand[2], thick + wide * 0.3)
        limb = wide * rng.uniform(0.2, 0.4)
        parts += [(tube(shoulder, hand, limb, limb), "sleeve"), (ball(hand, limb * 1.3), "skin")]
    return parts


def longbody(rng, height, radius):
    """A body that lies along its base, on two legs or six or none: birds, lizards, beetles, boats; never on four."""
    base, thick = foot(rng, radius)
    tall, legs = height - thick, int(rng.choice([0, 1, 1, 3]))
    long, pitch = radius * rng.uniform(1.1, 1.9), rng.uniform(-0.1, 0.9)
    deep = tall * rng.uniform(0.12, 0.26)
    middle = np.array([0, 0, thick + deep + (tall * rng.uniform(0.1, 0.4) if legs else 0)])
    along = np.array([0, np.cos(pitch), np.sin(pitch)]) * long / 2
    back, front = middle - along, middle + along
    back[2] = max(back[2], thick + deep * 0.6)
    parts = [(base, str(rng.choice(["own", "dark"])))]
    parts.append((tube(back, front, deep * rng.uniform(0.5, 1), deep * rng.uniform(0.6, 1.1), 16), "own"))
    neck = front + np.array([0, rng.uniform(-0.2, 0.6), rng.uniform(0.2, 1.0)]) * tall * rng.uniform(0.1, 0.5)
    neck[2] = min(neck[2], height - deep * 0.5)
    size = deep * rng.uniform(0.5, 1.1)
    parts += [(tube(front, neck, deep * 0.6, size * 0.7, 12), "own")]
    parts += [(moved(_lump(rng, size), neck), str(rng.choice(["own", "skin"])))]
    parts += [(moved(mesh, neck), role) for mesh, role in _on_head(rng, size)]
    if rng.random() < 0.7:
        tail = back + np.array([0, -rng.uniform(0.2, 0.8), rng.uniform(-0.2, 0.8)]) * long * 0.6
        tail[2] = max(tail[2], thick + 0.5)
        parts.append((tube(back, tail, deep * rng.uniform(0.3, 0.7), deep * 0.1, 10), "own"))
    for part in np.linspace(0.25, 0.75, legs) if legs > 1 else [rng.uniform(0.35, 0.6)] * legs:
        hip = back + (front - back) * part
        for side in SIDES:
            sole = np.array([side * deep * rng.uniform(0.6, 2), hip[1] + rng.normal(0, 0.15) * long, thick + 0.8])
            limb = deep * rng.uniform(0.15, 0.35)
            parts.append((tube(np.add(hip, (side * deep * 0.6, 0, 0)), sole, limb, limb * 0.8, 8), "legs"))
    if rng.random() < 0.35:  # wings, spread or folded
        span, lift = radius * rng.uniform(0.5, 1.1), rng.uniform(-0.2, 0.8)
        wing = box((span / 2, 0, 0), (span, long * rng.uniform(0.25, 0.6), 1))
        wing = moved(turned(wing, about_x(rng.uniform(-0.4, 0.4))), np.add(middle, (0, 0, deep * 0.5)))
        wing.points[:, 2] += np.abs(wing.points[:, 0]) * lift
        parts += [(mirrored(wing, side), "own") for side in SIDES]
    return parts


def bust(rng, height, radius):
    """A head on shoulders, or on a neck alone."""
    base, thick = foot(rng, radius)
    head = min((height - thick) * rng.uniform(0.2, 0.34), radius * 0.95)
    wide = min(radius * rng.uniform(0.5, 1.05), head * 2.2)
    neck = height - 2 * head
    chest = [(wide, thick), (wide * rng.uniform(0.8, 1.1), thick + (neck - thick) * rng.uniform(0.3, 0.8))]
    parts = [(base, "own"), (scaled(lathe([*chest, (head * 0.5, neck + 1)], 20), (1, rng.uniform(0.5, 1), 1)), "own")]
    top = np.array([0, rng.normal(0.1, 0.15) * head, height - head])
    parts.append((moved(_lump(rng, head), top), str(rng.choice(["own", "skin"]))))
    return parts + [(moved(mesh, top), role) for _ in range(2) for mesh, role in _on_head(rng, head)]


def totem(rng, height, radius):
    """Lumps on each other, as towers, snowmen, trees, rockets and ghosts are."""
    base, thick = foot(rng, radius)
    parts, at = [(base, str(rng.choice(["own", "own", "dark"])))], thick
    count = int(rng.integers(2, 6))
    shares = rng.dirichlet(np.full(count, 3.0)) * (height - thick)
    for share in shares:
        size = radius * rng.uniform(0.25, 0.85)
        shape = scaled(_lump(rng, 1.0), (size, size, share * 0.6))
        shape = turned(shape, about_z(rng.uniform(0, np.pi)))
        role = str(rng.choice(["own", "own", "own", "gear", "skin"]))
        parts.append((moved(shape, (*rng.normal(0, 0.06, 2) * radius, at + share / 2)), role))
        if rng.random() < 0.25:
            fin = box((size, 0, 0), (size * rng.uniform(0.6, 1.4), 1.2, share * rng.uniform(0.4, 1)))
            turn = rng.uniform(0, np.pi)
            parts += [
                (moved(turned(fin, about_z(turn + k * 2 * np.pi / 3)), (0, 0, at + share / 2)), "gear")
                for k in range(3)
            ]
        at += share
    return parts


FAMILIES = {"bighead": bighead, "longbody": longbody, "bust": bust, "totem": totem}
