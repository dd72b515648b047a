"""Meshes in millimetres, z up: lathed bodies, tubes, boxes and flat shapes with thickness."""

from typing import NamedTuple

import numpy as np

AROUND = 20
RINGS = 9
HIGHER = 1.3  # than where it lies lowest: higher up, on a knee or an arm, nothing rests


class Mesh(NamedTuple):
    """Points (n, 3) and triangles (m, 3)."""

    points: np.ndarray
    faces: np.ndarray


def merged(parts):
    """Return several meshes as one."""
    parts = list(parts)
    starts = np.cumsum([0, *(len(part.points) for part in parts)])
    faces = [part.faces + start for part, start in zip(parts, starts, strict=False)]
    return Mesh(np.vstack([part.points for part in parts]), np.vstack(faces))


def moved(mesh, by):
    return Mesh(mesh.points + np.asarray(by, dtype=float), mesh.faces)


def scaled(mesh, by):
    return Mesh(mesh.points * np.asarray(by, dtype=float), mesh.faces)


def turned(mesh, turn):
    return Mesh(mesh.points @ np.asarray(turn).T, mesh.faces)


def about_z(angle):
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def about_x(angle):
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, cos, -sin], [0, sin, cos]])


def lathe(profile, around=AROUND):
    """Turn a profile of (radius, height) into a closed body."""
    profile = np.asarray(profile, dtype=float)
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = [np.column_stack([ring * radius, np.full(around, height)]) for radius, height in profile]
    ends = [[0, 0, profile[0][1]], [0, 0, profile[-1][1]]]
    steps = np.arange(around)
    after = (steps + 1) % around
    faces = []
    for row in range(len(profile) - 1):
        low = row * around
        faces += [np.column_stack([low + steps, low + after, low + around + after])]
        faces += [np.column_stack([low + steps, low + around + after, low + around + steps])]
    bottom, last = len(profile) * around, (len(profile) - 1) * around
    faces += [np.column_stack([np.full(around, bottom), after, steps])]
    faces += [np.column_stack([np.full(around, bottom + 1), last + steps, last + after])]
    return Mesh(np.vstack([*points, ends]), np.vstack(faces))


def ball(centre, radius, around=AROUND):
    angles = np.linspace(-np.pi / 2 + 0.05, np.pi / 2 - 0.05, RINGS)
    return moved(lathe(np.column_stack([np.cos(angles), np.sin(angles)]) * radius, around), centre)


def tube(start, end, radius, thin=None, around=12):
    """Return a rod with round ends from one point to another; `thin` is its radius at the end."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    thin = radius if thin is None else thin
    along = end - start
    length = max(float(np.linalg.norm(along)), 1e-6)
    bend = np.linspace(-np.pi / 2 + 0.05, 0, 5)
    low = np.column_stack([np.cos(bend) * radius, np.sin(bend) * radius])
    high = np.column_stack([np.cos(bend[::-1]) * thin, length - np.sin(bend[::-1]) * thin])
    rod = lathe(np.vstack([low, high]), around)
    up = along / length
    side = np.cross((0, 1, 0) if abs(up[1]) < 0.9 else (1, 0, 0), up)
    side /= np.linalg.norm(side)
    return Mesh(rod.points @ np.stack([side, np.cross(up, side), up]) + start, rod.faces)


def box(centre, size):
    """Return a box with flat sides: each has its own corners."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    points, faces = [], []
    for axis in range(3):
        for side in (-0.5, 0.5):
            corners = np.insert(signs, axis, side, axis=1)
            order = [0, 1, 2, 0, 2, 3] if (side > 0) == (axis != 1) else [0, 2, 1, 0, 3, 2]
            faces.append(np.reshape(order, (2, 3)) + 4 * len(points))
            points.append(corners)
    return Mesh(np.vstack(points) * np.asarray(size, dtype=float) + centre, np.vstack(faces))


def slab(outline, thick):
    """Stand an outline (x, z), star-shaped around its middle, up with a thickness along y."""
    outline = np.asarray(outline, dtype=float)
    count = len(outline)
    middle = outline.mean(axis=0)
    steps = np.arange(count)
    after = (steps + 1) % count
    points, faces = [], []
    for y in (-thick / 2, thick / 2):
        start = sum(len(part) for part in points)
        flat = np.vstack([outline, middle])
        points.append(np.column_stack([flat[:, 0], np.full(count + 1, y), flat[:, 1]]))
        fan = [steps, after] if y < 0 else [after, steps]
        faces.append(start + np.column_stack([*fan, np.full(count, count)]))
    start = sum(len(part) for part in points)
    points += [np.column_stack([outline[:, 0], np.full(count, y), outline[:, 1]]) for y in (-thick / 2, thick / 2)]
    faces.append(start + np.column_stack([after, steps, steps + count]))
    faces.append(start + np.column_stack([after, steps + count, after + count]))
    return Mesh(np.vstack(points), np.vstack(faces))


def panel(corners):
    """Return a flat piece of four corners."""
    return Mesh(np.asarray(corners, dtype=float), np.array([[0, 1, 2], [0, 2, 3]]))


def mirrored(mesh, side):
    """Return a mesh as it is (1), or with left and right exchanged (-1)."""
    return mesh if side > 0 else Mesh(mesh.points * (-1, 1, 1), mesh.faces[:, ::-1])


def foot(rng, radius):
    """Return a round base and its height."""
    thick = rng.uniform(1.4, 3.4)
    slope = rng.uniform(0.75, 1.0)
    return lathe([(radius, 0), (radius, thick * 0.6), (radius * slope, thick)], 28), thick


def laid(mesh, rng):
    """Tip a standing body over, so that it rests on its base's rim and on what sticks out farthest; in any direction.

    Of several directions those are likelier in which it lies low: bodies roll until they rest.
    """
    best = []
    for angle in rng.uniform(0, 2 * np.pi, 16):
        points = mesh.points @ about_z(angle).T
        foot = points[:, 2] < 0.12 * points[:, 2].max()
        rim = points[foot, 0].max()
        above = points[~foot]
        slope = float(((above[:, 0] - rim) / above[:, 2]).max())
        frame = np.array([[slope, 0, 1], [0, np.hypot(slope, 1), 0], [-1, 0, slope]]) / np.hypot(slope, 1)
        rested = (points - (rim, 0, 0)) @ frame.T
        best.append((float(rested[:, 2].mean()), rested))
    best.sort(key=lambda one: one[0])
    lowest = min(float(points[:, 2].max()) for _, points in best)
    best = [one for one in best if one[1][:, 2].max() < HIGHER * lowest]
    rested = best[min(int(rng.exponential(2.0)), len(best) - 1)][1]
    low, high = rested.min(axis=0), rested.max(axis=0)
    return Mesh(rested - [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]], mesh.faces)
