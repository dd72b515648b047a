"""Trace a scene's light with Mitsuba (a tool, never needed at a table), and take the picture as a camera would.

All that shows a picture is one mesh with one texture, all that is painted another one: the tracer compiles itself once.
"""

import os
from pathlib import Path

import cv2
import numpy as np

UNIT = 0.01  # scene units a millimetre
ATLAS = 4096
MARGIN = 0.5
FAR_AWAY = np.array([[0, 0, -5000.0], [1, 0, -5000], [0, 1, -5000]])


def load_mitsuba():
    """Import Mitsuba with its compiled variant where an LLVM library is found, else with the slow one."""
    import mitsuba as mi  # noqa: PLC0415 - a tool that most machines do not have

    if not os.environ.get("DRJIT_LIBLLVM_PATH"):
        found = sorted(Path("/usr/lib").glob("*/libLLVM.so.*")) + sorted(
            Path("/usr/lib").glob("llvm-1[6-9]/lib/libLLVM.so")
        )
        if found:
            os.environ["DRJIT_LIBLLVM_PATH"] = str(found[-1])
    mi.set_variant("llvm_ad_rgb" if os.environ.get("DRJIT_LIBLLVM_PATH") else "scalar_rgb")
    return mi


class Atlas:
    """Every picture of a world in one: table, mat and deck."""

    def __init__(self, looks):
        self.picture = np.zeros((ATLAS, ATLAS, 3), dtype=np.uint8)
        self.places = {}
        left = top = row = 0
        for name, picture in {"mat": looks.mat, "table": looks.table, **looks.deck}.items():
            height, width = picture.shape[:2]
            if left + width + 2 > ATLAS:
                left, top, row = 0, top + row + 2, 0
            self.picture[top : top + height, left : left + width] = picture
            self.places[name] = (left, top, width, height)
            left, row = left + width + 2, max(row, height)

    def uv(self, name, uv):
        """Return a picture's own coordinates (v downwards) as those of the whole."""
        left, top, width, height = self.places[name]
        across = (left + MARGIN + uv[:, 0] * (width - 2 * MARGIN)) / ATLAS
        down = (top + MARGIN + uv[:, 1] * (height - 2 * MARGIN)) / ATLAS
        return np.column_stack([across, down])


def linear(srgb):
    part = np.asarray(srgb, dtype=np.float64) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def encoded(light):
    part = np.clip(light, 0, 1)
    return np.where(part <= 0.0031308, part * 12.92, 1.055 * part ** (1 / 2.4) - 0.055)


class Tracer:
    """Traces the scenes of one world."""

    def __init__(self, looks, samples=8, depth=3):
        self._mi = load_mitsuba()
        self._atlas = Atlas(looks)
        bitmap = self._mi.Bitmap(self._atlas.picture)
        self._texture = self._mi.load_dict(
            {"type": "bitmap", "bitmap": bitmap, "raw": False, "filter_type": "bilinear"}
        )
        self._samples, self._depth = samples, depth

    def trace(self, scene, room, seed):
        """Return the light (h, w, 3) that a camera without a lens would see, and its pixels' field."""
        mi = self._mi
        field = Field(scene.camera)
        camera = scene.camera
        eye, ahead, up = camera.eye, camera.turn[2], -camera.turn[1]
        wide, tall = field.size
        across, down = (2 * field.middle - field.size) / field.size / 2
        transform = mi.ScalarTransform4f
        sensor = {
            "type": "perspective",
            "fov": float(np.degrees(2 * np.arctan(wide / 2 / camera.matrix[0, 0]))),
            "fov_axis": "x",
            "principal_point_offset_x": float(across),
            "principal_point_offset_y": float(down),
            "near_clip": 0.1,
            "far_clip": 400.0,
            "to_world": transform().look_at(
                origin=(eye * UNIT).tolist(), target=((eye + ahead) * UNIT).tolist(), up=up.tolist()
            ),
            "film": {
                "type": "hdrfilm",
                "width": wide,
                "height": tall,
                "pixel_format": "rgb",
                "rfilter": {"type": "tent"},
            },
            "sampler": {"type": "multijitter", "sample_count": self._samples},
        }
        whole = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": self._depth, "rr_depth": 3},
            "sensor": sensor,
            "room": {
                "type": "envmap",
                "bitmap": mi.Bitmap(room.panorama),
                "to_world": transform().rotate([1, 0, 0], 90),
            },
            "lamp": self._lamp(room),
        }
        shown = [
            piece
            for piece in scene.pieces
            if piece.shown and not (piece.kind == "threat" and scene.world.habits["clear"])
        ]
        clear = [piece for piece in scene.pieces if piece.shown and piece not in shown]
        painted = [piece for piece in scene.pieces if not piece.shown]
        whole["shown"] = self._mesh("shown", shown)
        whole["clear"] = self._mesh("clear", clear)
        whole["painted"] = self._mesh("painted", painted)
        light = np.array(mi.render(mi.load_dict(whole), spp=self._samples, seed=seed))[..., :3]
        return np.nan_to_num(light), field

    def _lamp(self, room):
        transform = self._mi.ScalarTransform4f
        way = transform().look_at(origin=[v * UNIT for v in room.lamp], target=[0, 0, 0], up=[0, 1, 0.01])
        light = {"type": "area", "radiance": {"type": "rgb", "value": [float(v) for v in room.light]}}
        return {"type": "rectangle", "to_world": way.scale(room.size / 2 * UNIT), "emitter": light}

    def _mesh(self, name, pieces):
        mi = self._mi
        points = np.vstack([piece.mesh.points for piece in pieces]) if pieces else FAR_AWAY
        starts = np.cumsum([0, *(len(piece.mesh.points) for piece in pieces)])
        faces = (
            np.vstack([piece.mesh.faces + start for piece, start in zip(pieces, starts, strict=False)])
            if pieces
            else np.array([[0, 1, 2]])
        )
        finish = (
            np.vstack([np.tile(piece.finish, (len(piece.mesh.points), 1)) for piece in pieces])
            if pieces
            else np.zeros((3, 2))
        )
        textured = name != "painted"
        colour = self._texture if textured else {"type": "mesh_attribute", "name": "vertex_paint"}
        surface = {"type": "principled", "base_color": colour, "specular": 0.45, "clearcoat_gloss": 0.85}
        surface["roughness"] = {"type": "mesh_attribute", "name": "vertex_rough"}
        surface["clearcoat"] = {"type": "mesh_attribute", "name": "vertex_coat"}
        both = {"type": "twosided", "inner": surface}
        if name == "clear":
            both = {"type": "mask", "opacity": 0.86, "inner": both}
        given = mi.Properties()
        given["bsdf"] = mi.load_dict(both)
        mesh = mi.Mesh(
            name, len(points), len(faces), has_vertex_normals=False, has_vertex_texcoords=textured, props=given
        )
        mesh.add_attribute("vertex_rough", 1, finish[:, 0].astype(np.float32).ravel())
        mesh.add_attribute("vertex_coat", 1, finish[:, 1].astype(np.float32).ravel())
        if not textured:
            paint = np.vstack([linear(piece.colours) for piece in pieces]) if pieces else np.zeros((3, 3))
            mesh.add_attribute("vertex_paint", 3, paint.astype(np.float32).ravel())
        parameters = mi.traverse(mesh)
        parameters["vertex_positions"] = (points * UNIT).astype(np.float32).ravel()
        parameters["faces"] = faces.astype(np.uint32).ravel()
        if textured:
            uv = np.vstack([self._atlas.uv(piece.shown, piece.uv) for piece in pieces]) if pieces else np.zeros((3, 2))
            parameters["vertex_texcoords"] = uv.astype(np.float32).ravel()
        parameters.update()
        return mesh


class Field:
    """The pixels that a camera without a lens needs, so that a picture through the lens can be cut out of them."""

    def __init__(self, camera):
        width, height = camera.size
        edge = np.concatenate(
            [
                [(x, y) for x in np.linspace(0, width, 40) for y in (0, height)],
                [(x, y) for y in np.linspace(0, height, 40) for x in (0, width)],
            ]
        )
        flat = cv2.undistortPoints(edge.reshape(-1, 1, 2).astype(float), camera.matrix, camera.lens).reshape(-1, 2)
        reach = np.abs(flat) * (camera.matrix[0, 0], camera.matrix[1, 1])
        half = np.ceil(reach.max(axis=0)).astype(int) + 2
        self.size = tuple(int(2 * v) for v in half)
        self.middle = half.astype(float)
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2).astype(float)
        rays = cv2.undistortPoints(grid, camera.matrix, camera.lens).reshape(height, width, 2)
        self._x = (rays[..., 0] * camera.matrix[0, 0] + half[0] - 0.5).astype(np.float32)
        self._y = (rays[..., 1] * camera.matrix[1, 1] + half[1] - 0.5).astype(np.float32)

    def through_lens(self, light):
        return cv2.remap(light.astype(np.float32), self._x, self._y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def calmed(light, strength):
    """Smooth what few rays leave of grain, edges kept, as a camera smooths its own."""
    level = np.sqrt(np.minimum(light / max(float(np.percentile(light, 90)), 1e-6), 6)).astype(np.float32)
    calm = cv2.bilateralFilter(level, 7, strength, 1.8)
    return calm**2


def photographed(light, rng):
    """Return what a camera makes of light, as a JPEG (bytes)."""
    picture = developed(light, rng)
    _, kept = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 96))])
    return kept


def developed(light, rng, held=None, grain=1.0):
    """Return what a camera makes of light: white balance, exposure, blur, noise, sharpening (BGR).

    A camera that holds its white and its exposure sets them by the light `held`; `grain` is the share of noise kept.
    """
    light = calmed(light, rng.uniform(0.06, 0.24))
    height, width = light.shape[:2]
    metered = light if held is None else held
    grey = metered.reshape(-1, 3).mean(axis=0)
    gain = (grey.mean() / np.maximum(grey, 1e-6)) ** (1 - rng.uniform(0, 0.4))
    gain = gain * (1, 1 + rng.normal(0, 0.035), 1)
    light, metered = light * gain, metered * gain
    middle, bright = np.percentile(metered.mean(axis=2), (70, 96))
    light = light / max(float(middle) / 0.38, float(bright) / 0.95, 1e-6) * 2 ** rng.normal(0, 0.3)
    y, x = np.mgrid[0:height, 0:width]
    away = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width**2 / 4)
    light = light * (1 - rng.uniform(0, 0.25) * away)[..., None]
    light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.35, 0.95))
    if rng.random() < 0.1:
        kernel = np.zeros((7, 7), dtype=np.float32)
        turn, reach = rng.uniform(0, np.pi), rng.uniform(1, 3)
        for step in np.linspace(-reach, reach, 25):
            kernel[round(3 + np.sin(turn) * step), round(3 + np.cos(turn) * step)] += 1
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    noise = np.exp(rng.uniform(np.log(0.002), np.log(0.03)))
    light = light + rng.normal(0, 1, light.shape) * noise * grain * np.sqrt(np.clip(light, 0.02, 4))
    light = np.where(light > 0.8, 0.8 + 0.2 * (1 - np.exp(-(light - 0.8) / 0.2)), light)
    shown = encoded(light) * 255
    if rng.random() < 0.5:
        shown = shown + rng.uniform(0.2, 0.9) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.3))
    contrast = rng.uniform(0.9, 1.15)
    shown = (shown - 128) * contrast + 128
    mean = shown.mean(axis=2, keepdims=True)
    shown = mean + (shown - mean) * rng.uniform(0.8, 1.25)
    return np.ascontiguousarray(np.clip(shown + 0.5, 0, 255).astype(np.uint8)[..., ::-1])
