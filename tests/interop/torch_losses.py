"""Trains the generator of a pipeline with `host` and with PyTorch, from one checkpoint on one batch, and compares.

    torch_losses.py HOST PIPELINE [--kernels onednn,reference] [--direct] [--keep FOLDER]

PyTorch computes in float64, so the differences come from the rounding of our float32. Rounding turns the sign of a few
values at the edge of a relu or of |x|. Each of them changes a gradient by about 1e-3, and Adam carries that on. The
gradient of a bias before batch_norm is only rounding, and Adam makes whole steps of it. So tensors are compared layer
by layer, where such a bias weighs little. Exit code 77: a package that this needs is missing.
"""

import argparse
import pathlib
import sys
import tempfile

try:
    import tomllib

    import numpy as np
    import torch

    import host_run
    from torch_model import Model
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-torch, with Python 3.11 or later)")
    sys.exit(77)

STEPS = 20
RATE = 1e-4
BETA1 = 0.9  # Adam's; after step 1 its first moment is (1 - BETA1) * gradient

# Limits of relative differences. With five sets of pictures, PyTorch's own float32 differed by up to 1.7e-4 in the
# losses and 6e-3 in a gradient. Our onednn kernels differed by up to 8e-5 and 2e-3.
LOSS_LIMIT = 1e-4
# Winograd's method for 3x3 convolutions has rounding errors about 3 times as large. With it, losses differed by 3e-5.
WINOGRAD_LOSS_LIMIT = 1e-3
GRADIENT_LIMIT = 1e-2
WEIGHT_LIMIT = 1e-2
RUNNING_LIMIT = 1e-2


def train_with_torch(model, blurred, sharp):
    """Returns the loss of each step and the gradients of the first."""
    optimizer = torch.optim.Adam(model.parameters.values(), lr=RATE, betas=(BETA1, 0.999), eps=1e-8)
    losses = []
    gradients = {}
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = (model(blurred) - sharp).abs().mean()
        loss.backward()
        gradients = gradients or {name: p.grad.numpy().copy() for name, p in model.parameters.items()}
        optimizer.step()
        losses.append(loss.item())
    return losses, gradients


def loss_of(model, blurred, sharp):
    """Returns the loss in evaluation mode, which uses the running statistics."""
    model.training = False
    with torch.no_grad():
        return (model(blurred) - sharp).abs().mean().item()


def difference(ours, theirs):
    """Returns the norm of the difference, relative to the norm of theirs."""
    ours, theirs = (np.concatenate([np.ravel(part) for part in parts]).astype(np.float64) for parts in (ours, theirs))
    return np.linalg.norm(ours - theirs) / np.linalg.norm(theirs)


class Comparison:
    def __init__(self, loss_limit):
        self.failed = False
        self._loss_limit = loss_limit

    def losses(self, what, ours, theirs):
        worst = max(range(len(theirs)), key=lambda i: difference(ours[i : i + 1], theirs[i : i + 1]))
        self._judge(
            f"{what}: {ours[worst]:.7f} and {theirs[worst]:.7f} of PyTorch, the worst of {len(theirs)}",
            difference(ours[worst : worst + 1], theirs[worst : worst + 1]),
            self._loss_limit,
        )

    def layers(self, what, ours, theirs, limit):
        """theirs: tensors by path, LAYER/NAME. `ours` has these paths and more."""
        names = {}
        for path in theirs:
            names.setdefault(path.rpartition("/")[0], []).append(path)
        found = {
            layer: difference([ours[path] for path in paths], [theirs[path] for path in paths])
            for layer, paths in names.items()
        }
        worst = max(found, key=found.get)
        self._judge(f"{what}: layer {worst}, the worst of {len(found)}", found[worst], limit)

    def _judge(self, what, found, limit):
        self.failed |= not found <= limit
        print(f"{'ok    ' if found <= limit else 'FAILED'}  {found:.1e} (at most {limit:.0e})  {what}")


def below(prefix, tensors, factor=1.0):
    """Returns the tensors whose names begin with the prefix, times `factor`. Their names lose the prefix."""
    return {name.removeprefix(prefix): factor * tensors[name] for name in tensors if name.startswith(prefix)}


def compare(run, pictures, loss_limit):
    model = tomllib.loads((run / "resolved.toml").read_text())["model"]
    low, high = model["range"]
    batch = [torch.tensor(low + (high - low) * picture) for picture in pictures]
    first, second, last = (host_run.read_checkpoint(run, step) for step in (0, 1, STEPS))
    theirs = Model(model, first)
    losses, gradients = train_with_torch(theirs, *batch)

    comparison = Comparison(loss_limit)
    comparison.losses("training loss", [event["loss"] for event in host_run.read_events(run, "step")], losses)
    evaluation = host_run.read_events(run, "evaluation")[-1]["validation_loss"]
    comparison.losses("loss in evaluation, of our weights", [evaluation], [loss_of(Model(model, last), *batch)])
    moments = below("optimizer/moment1/", second, 1.0 / (1.0 - BETA1))
    comparison.layers("gradients of step 1", moments, gradients, GRADIENT_LIMIT)
    weights = {name: tensor.detach().numpy() for name, tensor in theirs.parameters.items()}
    comparison.layers(f"weights after step {STEPS}", below("model/", last), weights, WEIGHT_LIMIT)
    if theirs.statistics:
        running = {name: tensor.numpy() for name, tensor in theirs.statistics.items()}
        comparison.layers(f"running statistics after step {STEPS}", below("running/", last), running, RUNNING_LIMIT)
    return comparison


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=pathlib.Path, help="the program")
    parser.add_argument("pipeline", type=pathlib.Path, help="deblur.toml, or another with its fields and its loss")
    parser.add_argument("--kernels", default="onednn,reference", help="kernel providers, the first choice first")
    parser.add_argument("--direct", action="store_true", help="onednn without Winograd's method")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for pictures and run, which stays")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (arguments.keep or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        pictures = host_run.make_pictures(folder)
        kernels = arguments.kernels.split(",")
        winograd = "onednn" in kernels and not arguments.direct
        options = ", winograd = false" if arguments.direct else ""
        listed = ", ".join(f'{{ use = "{name}"{options if name == "onednn" else ""} }}' for name in kernels)
        run = host_run.train(arguments.host, arguments.pipeline, f"[{listed}]", STEPS, RATE, folder)
        comparison = compare(run, pictures, WINOGRAD_LOSS_LIMIT if winograd else LOSS_LIMIT)
    sys.exit(1 if comparison.failed else 0)


main()
