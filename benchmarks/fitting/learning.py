"""Train the network of figures with PyTorch, a tool of this alone, and write it as ONNX for OpenCV's `dnn`."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.fitting.samples import LARGE, Samples
from companion.vision.arrays import Array
from companion.vision.figures.crops import CROP_SIDE, LAYERS
from companion.vision.figures.evidence import MIDDLE
from companion.vision.figures.network import DRAWN, KINDS, LOGS, inputs, prepare
from companion.vision.figures.network import HIDDEN as HIDDEN_OUTPUT

WIDTHS, HIDDEN = (16, 32, 64, 64), 64
BATCH, RATE, DECAY, WARM = 96, 3e-3, 2e-2, 0.15
DROP, DROP_LAYER, DROP_MEASURES, SOFT = 0.3, 0.05, 0.15, 0.03
LEAST, MOST, STEADY = -8.0, 12.0, 0.5  # of a measure; and the scale of all measures beside the pictures
HALF_HIDDEN, LIGHTER = 0.8, 0.5  # of what is hidden less is to be learned
TURN, STRETCH, SQUEEZE, SHIFT, BASE = 0.1, 0.06, 0.03, 1.2, 0.06
LOUDER, OFF, BRIGHTER, TINTED = 0.15, 6.0, 0.12, 0.05
NOISY, NOISE, BLURRED = 0.4, 9.0, 0.15
UNKNOWN_CARD, GREY, OTHER_HUES = 0.1, 0.1, 0.35  # how often
STRANGE, SEEN, PAINTED = slice(2, 3), slice(3, 6), slice(6, 9)


class Network(nn.Module):
    """Six convolutions, then what was measured is heard as well."""

    def __init__(self, measures: int) -> None:
        super().__init__()
        one, two, three, four = WIDTHS
        self.eyes = nn.Sequential(
            *_layer(LAYERS + DRAWN, one, 2),
            *_layer(one, two, 2),
            nn.Dropout2d(DROP_LAYER),
            *_layer(two, two, 1),
            *_layer(two, three, 2),
            nn.Dropout2d(DROP_LAYER),
            *_layer(three, three, 1),
            *_layer(three, four, 2),
        )
        side = -(-CROP_SIDE // 16)
        self.drop = nn.Dropout(DROP)
        self.mind = nn.Linear(four * side**2 + measures, HIDDEN)
        self.mouth = nn.Linear(HIDDEN, KINDS)
        self.register_buffer("middle", torch.zeros(measures))
        self.register_buffer("spread", torch.ones(measures))

    def forward(self, crops: Tensor, measures: Tensor) -> Tensor:
        """Return the logarithm of each kind's chance."""
        return self.both(crops, measures)[0]

    def both(self, crops: Tensor, measures: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithm of each kind's chance, and what it is told from."""
        told = (measures.clamp(LEAST, MOST) - self.middle) / self.spread * STEADY
        if self.training:
            told = told * (torch.rand_like(told) > DROP_MEASURES)
        both = self.drop(torch.cat([self.eyes(crops).flatten(1), told], 1))
        hidden = functional.relu(self.mind(both))
        return functional.log_softmax(self.mouth(self.drop(hidden)), 1), hidden


class _Exported(nn.Module):
    """A network with both of its outputs."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor, measures: Tensor) -> tuple[Tensor, Tensor]:
        return self.net.both(crops, measures)


def _layer(seen: int, told: int, step: int) -> list[nn.Module]:
    return [nn.Conv2d(seen, told, 3, step, 1, bias=False), nn.BatchNorm2d(told), nn.ReLU(inplace=True)]


def exported(net: Network) -> bytes:
    """Return a network as OpenCV's `dnn` reads it."""
    given = (torch.zeros(2, LAYERS + DRAWN, CROP_SIDE, CROP_SIDE), torch.zeros(2, len(net.middle)))
    names, file = ["crops", "measures"], io.BytesIO()
    told = [LOGS, HIDDEN_OUTPUT]
    axes = {name: {0: "n"} for name in [*names, *told]}
    torch.onnx.export(
        _Exported(net).eval(), given, file, input_names=names, output_names=told, dynamic_axes=axes, dynamo=False
    )
    return file.getvalue()


@dataclass
class Data:
    """Samples as tensors."""

    crops: Tensor
    measures: Tensor
    sizes: Array
    kinds: Tensor
    heed: Tensor


def data_of(samples: Samples) -> Data:
    kinds = torch.tensor(samples.kinds, dtype=torch.long)
    hidden = (kinds > 0) & (torch.tensor(samples.visible) < HALF_HIDDEN)
    return Data(
        crops=torch.tensor(samples.crops).permute(0, 3, 1, 2),
        measures=torch.tensor(inputs(samples.measures, samples.sizes), dtype=torch.float32),
        sizes=samples.sizes,
        kinds=kinds,
        heed=torch.where(hidden, LIGHTER, 1.0),
    )


def learn(
    samples: Samples, rounds: int, seed: int = 0, tell: Callable[[int, float, Network], None] | None = None
) -> Network:
    """Learn from samples, each seen otherwise in every round; `tell` is called after each."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    chance = torch.Generator().manual_seed(seed)
    data = data_of(samples)
    net = Network(data.measures.shape[1])
    clipped = data.measures.clamp(LEAST, MOST)
    net.middle[:], net.spread[:] = clipped.mean(0), clipped.std(0) + 1e-2
    down = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = max(2, rounds * -(-len(samples) // BATCH))
    pace = torch.optim.lr_scheduler.OneCycleLR(down, RATE, total_steps=steps, pct_start=WARM)
    for turn in range(rounds):
        net.train()
        total = 0.0
        for batch in _batches(len(samples), chance):
            crops = altered(data.crops[batch], chance)
            sizes = data.sizes[batch.numpy()] * np.array([1, np.exp(torch.randn(1, generator=chance).item() * BASE), 1])
            told = net(torch.tensor(prepare(crops, sizes)), data.measures[batch])
            off = functional.cross_entropy(told, data.kinds[batch], label_smoothing=SOFT, reduction="none")
            loss = (off * data.heed[batch]).mean()
            down.zero_grad()
            loss.backward()
            down.step()
            pace.step()
            total += loss.item() * len(batch)
        if tell:
            tell(turn + 1, total / len(samples), net)
    return net.eval()


def _batches(count: int, chance: torch.Generator) -> Iterator[Tensor]:
    order = torch.randperm(count, generator=chance)
    for start in range(0, count, BATCH):
        batch = order[start : start + BATCH]
        if len(batch) > 1 or count == 1:
            yield batch


def altered(crops: Tensor, chance: torch.Generator) -> Array:
    """Mirror, turn, stretch, shift, light and disturb large crops (n, layers, side, side) at random; keep the middle.

    Now and then no card is known, or the colours are others: the shape remains. Returns (n, side, side, layers) bytes.
    """
    n = len(crops)

    def normal(*shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=chance)

    def sometimes(often: float) -> Tensor:
        return (torch.rand(n, generator=chance) < often)[:, None, None, None]

    turn, wide = normal() * TURN, torch.exp(normal() * STRETCH) * CROP_SIDE / LARGE
    tall = wide * torch.exp(normal() * SQUEEZE)
    flip = torch.where(torch.rand(n, generator=chance) < 0.5, -1.0, 1.0)  # noqa: PLR2004 - every second
    across = torch.stack([wide * torch.cos(turn) * flip, -tall * torch.sin(turn)], 1)
    down = torch.stack([wide * torch.sin(turn) * flip, tall * torch.cos(turn)], 1)
    bend = torch.cat([torch.stack([across, down], 1), normal(2, 1) * SHIFT * 2 / LARGE], 2)
    grid = functional.affine_grid(bend, [n, LAYERS, CROP_SIDE, CROP_SIDE], align_corners=False)
    seen = functional.grid_sample(crops.float(), grid, padding_mode="border", align_corners=False)
    seen[:, :2] = MIDDLE + (seen[:, :2] - MIDDLE) * torch.exp(normal(1, 1, 1) * LOUDER) + normal(1, 1, 1) * OFF
    gain = torch.exp(normal(1, 1, 1) * BRIGHTER + normal(3, 1, 1) * TINTED)
    seen[:, SEEN] = 255 * (seen[:, SEEN] / 255) ** torch.exp(normal(1, 1, 1) * BRIGHTER) * gain
    loud = sometimes(NOISY) * torch.rand(n, generator=chance)[:, None, None, None] * NOISE
    seen[:, : PAINTED.start] += loud * normal(PAINTED.start, CROP_SIDE, CROP_SIDE)
    soft = functional.avg_pool2d(functional.pad(seen, (1, 1, 1, 1), mode="replicate"), 3, 1)
    seen = torch.where(sometimes(BLURRED), soft, seen)
    unknown = sometimes(UNKNOWN_CARD)
    seen[:, STRANGE] = torch.where(unknown, seen[:, STRANGE] * 4 + 60, seen[:, STRANGE])
    seen[:, PAINTED] = torch.where(unknown, torch.zeros(1), seen[:, PAINTED])
    seen[:, SEEN] = torch.where(sometimes(GREY), seen[:, SEEN].mean(1, keepdim=True), seen[:, SEEN])
    hues = torch.rand(n, 3, generator=chance).argsort(1)
    hues = torch.where((torch.rand(n, generator=chance) < OTHER_HUES)[:, None], hues, torch.arange(3))
    for part in (SEEN, PAINTED):
        picked = hues[:, :, None, None].expand(-1, -1, CROP_SIDE, CROP_SIDE)
        seen[:, part] = torch.gather(seen[:, part], 1, picked)
    return np.ascontiguousarray(seen.clamp(0, 255).round().to(torch.uint8).permute(0, 2, 3, 1).numpy())
