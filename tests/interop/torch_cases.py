"""Compares values and gradients of losses and activations with PyTorch, on the check cases of their manifests.

    torch_cases.py CASE_VALUES PLUGIN_FOLDER --kernels onednn

PyTorch computes in float64 from the same numbers. Exit code 77: a package that this needs is missing.
"""

import argparse
import json
import subprocess
import sys

try:
    import tomllib

    import torch
    import torch.nn.functional as F
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-torch, with Python 3.11 or later)")
    sys.exit(77)

# Limits of a difference, relative to the largest number of the tensor or to 1. They are twice those of `host check`.
OUTPUT_LIMIT = 1e-5
GRADIENT_LIMIT = 2e-5
SCALES = (1.0, 30.0)  # inputs of about -1 to 1, and of -30 to 30, where careless exponentials overflow


def per_class(options, name, classes):
    """Returns the numbers of that option by class; None: the option is not given."""
    given = options.get(name)
    return None if given is None else torch.tensor(given, dtype=torch.float64).expand(classes)


def softmax_cross_entropy(options, x, target):
    return F.cross_entropy(
        x.movedim(-1, 1),
        target.movedim(-1, 1) if target.shape == x.shape else target.long(),
        weight=per_class(options, "class_weights", x.shape[-1]),
        ignore_index=options.get("ignore_label", -100),
        label_smoothing=options.get("label_smoothing", 0.0),
    )


def binary_cross_entropy(options, x, target):
    weight = per_class(options, "pos_weight", x.shape[-1])
    if target.shape == x.shape:
        return F.binary_cross_entropy_with_logits(x, target, pos_weight=weight)
    counts = target != options.get("ignore_label", -100)
    loss = F.binary_cross_entropy_with_logits(x.squeeze(-1), target.double(), pos_weight=weight, reduction="none")
    return loss[counts].mean()


def dice(options, x, target):
    """PyTorch has no such loss, so this is its definition. PyTorch computes the derivative."""
    smooth = options.get("smooth", 1.0)
    counts = torch.ones(x.shape[:-1], dtype=torch.float64)
    if target.shape == x.shape:
        p, t = x.sigmoid(), target
    else:
        counts = (target != options.get("ignore_label", -100)).double()
        p, t = x.softmax(-1), F.one_hot(target.long() % x.shape[-1], x.shape[-1])
    p, t = ((counts.unsqueeze(-1) * part).reshape(len(x), -1, x.shape[-1]) for part in (p, t))
    return 1 - ((2 * (p * t).sum(1) + smooth) / ((p + t).sum(1) + smooth)).mean()


LOSSES = {
    "softmax_cross_entropy": softmax_cross_entropy,
    "binary_cross_entropy": binary_cross_entropy,
    "dice": dice,
    "mean_absolute_error": lambda options, x, target: F.l1_loss(x, target),
    "mean_squared_error": lambda options, x, target: F.mse_loss(x, target),
    "charbonnier": lambda options, x, target: ((x - target) ** 2 + options["epsilon"] ** 2).sqrt().mean(),
}

LAYERS = {
    "leaky_relu": lambda options, x: F.leaky_relu(x, options["slope"]),
    "gelu": lambda options, x: F.gelu(x, approximate=options["approximate"]),
    "silu": lambda options, x: F.silu(x),
    "sigmoid": lambda options, x: torch.sigmoid(x),
    "relu": lambda options, x: F.relu(x),
    "tanh": lambda options, x: torch.tanh(x),
}


def to_torch(tensor):
    dtype = torch.float64 if tensor["dtype"].startswith("float") else torch.int64
    return torch.tensor(tensor["values"], dtype=dtype).reshape(tensor["shape"])


def difference(ours, theirs):
    return ((ours - theirs).abs().max() / max(1.0, theirs.abs().max().item())).item()


def compare(case):
    """Returns the largest differences of values and of gradients."""
    options = tomllib.loads(case["options"])
    inputs = [to_torch(tensor) for tensor in case["inputs"]]
    floats = [x.requires_grad_() for x in inputs if x.is_floating_point()]
    outputs = [to_torch(tensor) for tensor in case["outputs"]]
    if case["type"] in LOSSES:
        total, weight = outputs[0].sum(0)
        loss = LOSSES[case["type"]](options, *inputs)
        value = difference(total / weight, loss.detach())
        (case["seed"] * weight * loss).backward()
    else:
        result = LAYERS[case["type"]](options, *inputs)
        value = difference(outputs[0], result.detach())
        result.backward(to_torch(case["output_gradients"][0]))
    gradients = [to_torch(tensor) for tensor in case["input_gradients"] if tensor["values"]]
    return value, max(difference(ours, x.grad) for ours, x in zip(gradients, floats, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="case_values, which runs the kernels")
    parser.add_argument("plugins", help="folder of the plugins")
    parser.add_argument("--kernels", default="reference", help="the provider to compare")
    parser.add_argument("types", nargs="*", default=[*LOSSES, *LAYERS], help="layer types; all unless given")
    arguments = parser.parse_args()
    compared = failed = 0
    for scale in SCALES:
        command = [arguments.program, arguments.plugins, arguments.kernels, str(scale), *arguments.types]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        for case in map(json.loads, lines):
            name = f"{case['type']}, {case['case']}, times {scale:g}"
            if "refused" in case:
                print(f"left to others: {name}: {case['refused']}")
                continue
            value, gradient = compare(case)
            right = value <= OUTPUT_LIMIT and gradient <= GRADIENT_LIMIT
            compared += 1
            failed += not right
            print(f"{'ok    ' if right else 'FAILED'}  {value:.1e} {gradient:.1e}  {name}")
    print(f"{compared} cases, {failed} failed; at most {OUTPUT_LIMIT:g} in values, {GRADIENT_LIMIT:g} in gradients")
    sys.exit(1 if failed or not compared else 0)


main()
