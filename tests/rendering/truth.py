"""What is really there: which piece every pixel shows, and how much of each is visible. No light is needed for this."""

import cv2
import numpy as np

FINE = 4  # bits of a pixel's parts
NEAREST = 20.0  # mm before the camera
ASIDE = 0.6  # of the picture's size: beyond that a lens' polynomial may fold back into the picture
FLAT = ("table", "mat", "card", "threat")


def _draw(picture, polygons, value):
    for polygon in np.round(polygons * (1 << FINE)).astype(np.int32):
        cv2.fillConvexPoly(picture, polygon, int(value), lineType=cv2.LINE_8, shift=FINE)


def _corners(camera, mesh):
    """Return where a mesh's triangles appear, and which of them are anywhere near the picture."""
    straight = camera.project(mesh.points, lens=False)
    near = (mesh.points @ camera.turn[2] + camera.shift[2]) > NEAREST
    size = np.array(camera.size)
    near &= ((straight > -ASIDE * size) & (straight < (1 + ASIDE) * size)).all(axis=1)
    kept = near[mesh.faces].all(axis=1)
    return camera.project(mesh.points)[mesh.faces[kept]], kept


def shown(scene):
    """Return the number of the piece that each pixel shows (from 1), and each piece's own pixels, as if it were alone.

    Cards in the order they were laid; then all triangles of what stands or lies on them, the farthest first.
    """
    size = (scene.camera.size[1], scene.camera.size[0])
    picture, alone = np.zeros(size, dtype=np.uint16), {}
    numbers = {piece.name: number for number, piece in enumerate(scene.pieces, 1)}
    far, flat, owner = [], [], []
    for piece in scene.pieces:
        if piece.kind in {"table", "mat"}:
            continue
        corners, kept = _corners(scene.camera, piece.mesh)
        if piece.kind not in {"thing", "hand"}:
            own = np.zeros(size, dtype=np.uint8)
            _draw(own, corners, 1)
            alone[piece.name] = own > 0
        if piece.kind in FLAT:
            picture[alone[piece.name]] = numbers[piece.name]
            continue
        middles = piece.mesh.points[piece.mesh.faces[kept]].mean(axis=1)
        far.append(np.linalg.norm(middles - scene.camera.eye, axis=1))
        flat.append(corners)
        owner.append(np.full(len(corners), numbers[piece.name]))
    if far:
        order = np.argsort(-np.concatenate(far))
        shapes, owners = np.concatenate(flat)[order], np.concatenate(owner)[order]
        for polygon, number in zip(np.round(shapes * (1 << FINE)).astype(np.int32), owners.tolist(), strict=True):
            cv2.fillConvexPoly(picture, polygon, number, lineType=cv2.LINE_8, shift=FINE)
    return picture, alone


def visible(scene, picture, alone, name):
    """Return the share of a piece's own pixels that show it; what is out of the picture is not visible."""
    number = next(k for k, piece in enumerate(scene.pieces, 1) if piece.name == name)
    own = alone[name]
    if not own.any():
        return 0.0
    return float((picture[own] == number).mean())


def truth(scene):
    """Return a scene's truth as kept beside its picture, and the piece that each pixel shows."""
    picture, alone = shown(scene)
    camera = scene.camera
    told = {
        "seed": scene.seed,
        "family": scene.world.name,
        "units": "mm",
        "camera": {
            "K": camera.matrix.tolist(),
            "dist": camera.lens.tolist(),
            "R": camera.turn.tolist(),
            "t": camera.shift.tolist(),
            "w": camera.size[0],
            "h": camera.size[1],
            "pos_mm": camera.eye.tolist(),
        },
        "hands": scene.hands,
    }
    told["cards"] = [card | {"visible": round(visible(scene, picture, alone, card["uid"]), 4)} for card in scene.cards]
    told["dwellers"] = [
        one | {"visible": round(visible(scene, picture, alone, one["uid"]), 4), "mask": _number(scene, one["uid"])}
        for one in scene.dwellers
    ]
    return told, picture


def _number(scene, name):
    return next(number for number, piece in enumerate(scene.pieces, 1) if piece.name == name)
