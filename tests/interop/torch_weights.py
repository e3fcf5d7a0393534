"""Starts trainings of our model files from weights of torchvision, timm and PyTorch, and compares with these.

    torch_weights.py HOST MODEL

The weights are random. For a network of classes, the log-probabilities of each picture are compared in evaluation, and
the losses of five steps of SGD in training; for one of pictures the losses of both. Exit code 77: a package is missing.
"""

import csv
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    from torch import nn

    import host_run
    import reference_networks
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CLASSES = 6
STEPS = 5
FORWARD_LIMIT = 1e-4  # of relative differences
LOSS_LIMIT = 1e-3


def of_torchvision(name, **options):
    import torchvision

    return getattr(torchvision.models, name)(weights=None, num_classes=CLASSES, **options)


def of_timm(name):
    import timm

    return timm.create_model(name, pretrained=False, num_classes=CLASSES)


# A network, the side of its pictures, and arguments of our model.
NETWORKS = {
    "resnet18": (lambda: of_torchvision("resnet18"), 64, ""),
    "resnet34": (lambda: of_torchvision("resnet34"), 64, ""),
    "resnet50": (lambda: of_torchvision("resnet50"), 64, ""),
    "resnet101": (lambda: of_torchvision("resnet101"), 64, ""),
    "vgg16": (lambda: of_torchvision("vgg16", dropout=0.0), 224, "dropout = 0.0"),
    "mobilenet_v2": (lambda: of_torchvision("mobilenet_v2", dropout=0.0), 64, "dropout = 0.0"),
    "convnext_tiny": (lambda: of_torchvision("convnext_tiny", stochastic_depth_prob=0.0), 64, "drop_path = 0.0"),
    "efficientnet_lite0": (lambda: of_timm("efficientnet_lite0"), 64, "dropout = 0.0"),
    "unet": (lambda: reference_networks.UNet(3), 64, "classes = 3"),
    "unet_resnet34": (lambda: reference_networks.UNetOfResNet34(3), 64, "classes = 3"),
    "nafnet": (lambda: reference_networks.NAFNet(), 64, ""),
}
OF_PICTURES = ("unet", "unet_resnet34", "nafnet")

PIPELINE = """
version = 1
[data]
batch = {batch}
[data.train]
source = {source}
map = [{{ use = "decode" }}]
[data.validation]
source = {validation}
map = [{{ use = "decode" }}]
[model]
use = "{model}"
weights = "weights.safetensors"
{fields}
{arguments}
[loss]
use = "{loss}"
[optimizer]
use = "sgd"
rate = {rate}
[device]
kernels = [{{ use = "onednn", winograd = false }}, "reference"]
[train]
epochs = {steps}
[evaluate]
every = "1000 steps"
[observe]
use = [{{ use = "metrics", every_steps = 1 }}]
"""


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, tensor in tensors.items():
        kind = {torch.float32: "F32", torch.int64: "I64"}[tensor.dtype]
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    body = b"".join(tensor.contiguous().numpy().tobytes() for tensor in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def make_network(model):
    """With random statistics and factors, so that none of them is without effect."""
    torch.manual_seed(3)
    network = NETWORKS[model][0]()
    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            if "running_mean" in name:
                tensor.uniform_(-0.1, 0.1)
            elif "running_var" in name:
                tensor.uniform_(0.5, 1.5)
            elif name.endswith(("layer_scale", "beta", "gamma")):
                tensor.uniform_(0.1, 0.5)
    return network


def write_classes(folder, pictures):
    """The training set has each picture once, the validation set with each class."""
    for name, rows in (("train", [(i, i % CLASSES) for i in range(len(pictures))]),
                       ("validation", [(i, k) for i in range(len(pictures)) for k in range(CLASSES)])):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["image", "label"])
            writer.writerows((f"blurred/{i}.png", k) for i, k in rows)


def sgd(network, inputs, loss_of, rate):
    network.train()
    optimizer = torch.optim.SGD(network.parameters(), lr=rate)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(network(inputs))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses)


class Comparison:
    failed = False

    def judge(self, what, ours, theirs, limit):
        found = float(np.linalg.norm(ours - theirs) / np.linalg.norm(theirs))
        self.failed |= not found <= limit
        print(f"{'ok    ' if found <= limit else 'FAILED'}  {found:.1e} (at most {limit:.0e})  {what}")


def run(host, *words, folder):
    done = subprocess.run([host, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"host {' '.join(map(str, words))}: {done.stderr}")
    return done


def compare(host, model, folder):
    _, side, arguments = NETWORKS[model]
    host_run.SIDE = side
    blurred, sharp = host_run.make_pictures(folder)
    inputs = torch.tensor(blurred, dtype=torch.float32)
    is_of_pictures = model in OF_PICTURES
    network = make_network(model)
    write_safetensors(folder / "weights.safetensors", network.state_dict())
    if is_of_pictures:
        source = validation = '{ use = "image_pairs", blurred = "blurred", sharp = "sharp" }'
        fields, loss, rate = 'input = "blurred"\ntarget = "sharp"', "mean_squared_error", 0.01
    else:
        write_classes(folder, blurred)
        known = json.dumps([str(k) for k in range(CLASSES)])
        source, validation = (f'{{ use = "csv_images", file = "{name}.csv", image = "image", label = "label", '
                              f'classes = {known} }}' for name in ("train", "validation"))
        fields, loss, rate = 'input = "image"\ntarget = "label"', "softmax_cross_entropy", 0.01
    (folder / "pipeline.toml").write_text(
        PIPELINE.format(batch=len(blurred), model=model, source=source, validation=validation, fields=fields, loss=loss,
                        arguments=arguments, rate=rate, steps=STEPS))
    print(run(host, "train", "pipeline.toml", "--steps", 0, "--run-folder", "none", folder=folder).stderr.strip())
    scores = run(host, "evaluate", "none/checkpoints/last.safetensors", "--csv", "scores.csv", "--json", folder=folder)
    run(host, "train", "-q", "pipeline.toml", "--run-folder", "run", folder=folder)
    ours = np.array([event["loss"] for event in host_run.read_events(folder / "run", "step")])

    comparison = Comparison()
    network.eval()
    with torch.no_grad():
        prediction = network(inputs)
    if is_of_pictures:
        target = torch.tensor(sharp, dtype=torch.float32)
        evaluated = np.array([json.loads(scores.stdout)["loss"]])
        comparison.judge("loss in evaluation", evaluated, np.array([nn.functional.mse_loss(prediction, target).item()]),
                         FORWARD_LIMIT)
        theirs = sgd(network, inputs, lambda made: nn.functional.mse_loss(made, target), rate)
    else:
        with (folder / "scores.csv").open() as file:
            found = -np.array([float(row["loss"]) for row in csv.DictReader(file)]).reshape(len(blurred), CLASSES)
        comparison.judge("log-probabilities", found, torch.log_softmax(prediction, 1).numpy(), FORWARD_LIMIT)
        labels = torch.arange(len(blurred)) % CLASSES
        theirs = sgd(network, inputs, lambda made: nn.functional.cross_entropy(made, labels), rate)
    for step in range(STEPS):
        comparison.judge(f"loss of step {step + 1}: {ours[step]:.6f}, {theirs[step]:.6f} of PyTorch",
                         ours[step : step + 1], theirs[step : step + 1], LOSS_LIMIT)
    return comparison.failed


def main():
    host, model = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    try:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(1 if compare(host, model, pathlib.Path(folder)) else 0)
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)


main()
