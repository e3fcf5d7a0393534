"""Starts trainings of our model files from weights of torchvision, timm and PyTorch, and compares with these.

    torch_weights.py HOST MODEL

The weights are random. For a network of classes, the log-probabilities of each picture are compared in evaluation, and
the losses of five steps of SGD in training; for one of pictures the losses of both. Gradients of deep networks with
random weights are so large that the rate is chosen by their norm: a step takes about 1 % off the loss. Exit code 77: a
package is missing.
"""

import csv
import json
import pathlib
import shutil
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
SHARE_OF_LOSS = 0.01  # that a step takes off, to first order
LEAST_CHANGE = 1e-2   # of the losses over all steps, so that wrong gradients show


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
    "unet_resnet34": (lambda: reference_networks.UNetOfResNet34(3), 128, "classes = 3"),
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
[metrics]
use = ["{loss}"]
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
    """The training set has each picture once, the validation set a copy of it with each class."""
    for name, rows in (("train", [(i, i % CLASSES) for i in range(len(pictures))]),
                       ("validation", [(i, k) for i in range(len(pictures)) for k in range(CLASSES)])):
        (folder / name).mkdir()
        with (folder / f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["image", "label"])
            for i, k in rows:
                shutil.copyfile(folder / "blurred" / f"{i}.png", folder / name / f"{i}_{k}.png")
                writer.writerow((f"{name}/{i}_{k}.png", k))


def find_rate(network, inputs, loss_of):
    network.train()
    loss = loss_of(network(inputs))
    loss.backward()
    norm = sum(parameter.grad.double().square().sum() for parameter in network.parameters())
    return SHARE_OF_LOSS * loss.item() / norm.item()


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
    inputs, target = (torch.tensor(pictures, dtype=torch.float32) for pictures in (blurred, sharp))
    labels = torch.arange(len(blurred)) % CLASSES
    is_of_pictures = model in OF_PICTURES
    network = make_network(model)
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    host_run.write_safetensors(folder / "weights.safetensors", state)
    if is_of_pictures:
        source = validation = '{ use = "image_pairs", blurred = "blurred", sharp = "sharp" }'
        fields, loss = 'input = "blurred"\ntarget = "sharp"', "mean_squared_error"
    else:
        write_classes(folder, blurred)
        known = json.dumps([str(k) for k in range(CLASSES)])
        arguments += f"\nclasses = {CLASSES}"
        source, validation = (f'{{ use = "csv_images", file = "{name}.csv", image = "image", label = "label", '
                              f'classes = {known} }}' for name in ("train", "validation"))
        fields, loss = 'input = "image"\ntarget = "label"', "softmax_cross_entropy"

    def loss_of(made):
        return nn.functional.mse_loss(made, target) if is_of_pictures else nn.functional.cross_entropy(made, labels)

    rate = find_rate(make_network(model), inputs, loss_of)
    (folder / "pipeline.toml").write_text(
        PIPELINE.format(batch=len(blurred), model=model, source=source, validation=validation, fields=fields, loss=loss,
                        arguments=arguments, rate=rate, steps=STEPS))
    begun = run(host, "train", "pipeline.toml", "--steps", 0, "--run-folder", "none", folder=folder).stderr
    print(*[line for line in begun.splitlines() if "tensors come from" in line], sep="\n")
    scores = run(host, "evaluate", "none/checkpoints/last.safetensors", "--csv", "scores.csv", "--json", folder=folder)
    run(host, "train", "-q", "pipeline.toml", "--run-folder", "run", folder=folder)
    ours = np.array([event["loss"] for event in host_run.read_events(folder / "run", "step")])

    comparison = Comparison()
    network.eval()
    with torch.no_grad():
        prediction = network(inputs)
    if is_of_pictures:
        comparison.judge("loss in evaluation", np.array([json.loads(scores.stdout)["loss"]]),
                         np.array([loss_of(prediction).item()]), FORWARD_LIMIT)
    else:
        with (folder / "scores.csv").open() as file:
            scored = [float(row["softmax_cross_entropy"]) for row in csv.DictReader(file)]
        found = -np.array(scored).reshape(len(blurred), CLASSES)
        comparison.judge("log-probabilities", found, torch.log_softmax(prediction, 1).numpy(), FORWARD_LIMIT)
    theirs = sgd(network, inputs, loss_of, rate)
    for step in range(STEPS):
        comparison.judge(f"loss of step {step + 1}: {ours[step]:.6f}, {theirs[step]:.6f} of PyTorch",
                         ours[step : step + 1], theirs[step : step + 1], LOSS_LIMIT)
    if abs(theirs[-1] / theirs[0] - 1) < LEAST_CHANGE:
        comparison.failed = True
        print(f"FAILED  the steps change the loss by less than {LEAST_CHANGE:.0%}, so they show nothing")
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
