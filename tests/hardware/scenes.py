"""What the cameras of the tests look at."""

import itertools

import cv2
import numpy as np

SIZE = (1280, 720)
"""Width and height."""


def scene(number=0, size=SIZE):
    """A table by lamplight: dark on the left, light on the right, a blue card in the middle that wanders."""
    width, height = size
    row = np.linspace(40, 220, width, dtype=np.uint8)
    image = np.repeat(np.repeat(row[None, :, None], height, axis=0), 3, axis=2).copy()
    left = width // 3 + number * 16 % (width // 4)
    image[height // 4 : height // 2, left : left + width // 4] = (200, 60, 30)
    return image


def moving():
    """A scene in which something moves from picture to picture."""
    numbers = itertools.count()
    return lambda: scene(next(numbers))


def a_folder(folder, count=12):
    """Stills on a disk."""
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:03}.png"), scene(number))
    return folder


def a_video(path, count=12):
    """A recording: MJPG, which OpenCV writes everywhere."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, SIZE)
    for number in range(count):
        writer.write(scene(number))
    writer.release()
    return path
