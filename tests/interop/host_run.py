"""Runs `host` on a few pictures that are made here, and reads the files of the run."""

import json
import struct
import subprocess
import zlib

import numpy as np

SIDE = 64  # pixels
PICTURES = 4

# The batch has all pictures of the set, so shuffling changes only their order. Neither the mean loss nor the statistics
# of batch_norm depend on it.
PIPELINE = """
version = 1
include = {include}

[data]
batch = {pictures}

[data.train]
source = {{ use = "image_pairs", blurred = {blurred}, sharp = {sharp} }}
map = [{{ use = "decode" }}]

[data.validation]
source = {{ use = "image_pairs", blurred = {blurred}, sharp = {sharp} }}
map = [{{ use = "decode" }}]

[optimizer]
use = "adam"
rate = {rate}

[schedule]
use = "constant"
warmup = 0

[device]
kernels = {kernels}

[train]
epochs = {steps}

[evaluate]
every = "{steps} steps"

[checkpoint]
every = "1 steps"
keep = {checkpoints}

[observe]
use = [{{ use = "metrics", every_steps = 1 }}]
"""


def write_png(path, image):
    """image: uint8 [height, width, 3]."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    height, width, _ = image.shape
    eight_bit_rgb = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in image)  # 0: the row is not filtered
    chunks = [chunk(b"IHDR", eight_bit_rgb), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def make_pictures(folder):
    """Writes rectangles on noise, and their means over 9 columns. Returns blurred and sharp, NCHW in 0..1."""
    random = np.random.default_rng(1)
    pixels = {"blurred": [], "sharp": []}
    for i in range(PICTURES):
        wide = random.integers(0, 40, (SIDE, SIDE + 8, 3)).astype(float)
        for _ in range(30):
            top, left = random.integers(0, SIDE, 2)
            height, width = random.integers(4, 24, 2)
            wide[top : top + height, left : left + width] = random.integers(0, 256, 3)
        shifted = [wide[:, shift : shift + SIDE] for shift in range(9)]
        for field, image in (("blurred", np.mean(shifted, axis=0)), ("sharp", shifted[4])):
            pixels[field].append(np.rint(image).astype(np.uint8))
            (folder / field).mkdir(exist_ok=True)
            write_png(folder / field / f"{i}.png", pixels[field][i])
    return [np.stack(pixels[field]).transpose(0, 3, 1, 2) / 255 for field in ("blurred", "sharp")]


def train(host, include, kernels, steps, rate, folder):
    """Makes a run of no steps, which saves the initial weights, and resumes it for `steps` steps. Returns its folder.

    kernels: the list of providers, in TOML.
    """
    names = {"include": include.resolve(), "blurred": folder / "blurred", "sharp": folder / "sharp"}
    quoted = {key: json.dumps(str(value)) for key, value in names.items()}
    pipeline = folder / "pipeline.toml"
    pipeline.write_text(
        PIPELINE.format(
            pictures=PICTURES,
            rate=rate,
            kernels=kernels,
            steps=steps,
            checkpoints=steps + 1,
            **quoted,
        )
    )
    run = folder / "run"
    subprocess.run([host, "train", "--quiet", "--pipeline", pipeline, "--steps", "0", "--run-folder", run], check=True)
    subprocess.run([host, "resume", "--quiet", run, "--set", f"train.steps={steps}"], check=True)
    return run


def read_events(run, kind):
    """Returns the scalars of each event of that kind."""
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return [event["scalars"] for event in events if event["kind"] == kind]


def read_checkpoint(run, step):
    """Returns all tensors of the run's checkpoint of that step, by name. The format is safetensors."""
    data = (run / "checkpoints" / f"step-{step:08}.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        if entry["dtype"] != "F32":
            raise ValueError(f"tensor {name} is {entry['dtype']}; F32 is expected")
        tensors[name] = np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    """Writes float32 and int64 arrays, by name."""
    header, offset = {}, 0
    for name, array in tensors.items():
        kind = {"float32": "F32", "int64": "I64"}[array.dtype.name]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header).encode()
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
