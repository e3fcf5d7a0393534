"""A short run with the observers `tensorboard` and `wandb`, resumed from an earlier checkpoint, and its figures."""

import csv
import json
import math
import subprocess

import host_run

STEPS = 8
RESUMED_FROM = 4

PIPELINE = """
version = 1
include = "deblur.toml"

[data]
batch = 2

[data.train]
source = {{ use = "image_pairs", blurred = {blurred}, sharp = {sharp} }}
map = [{{ use = "decode" }}]

[data.validation]
source = {{ use = "image_pairs", blurred = {blurred}, sharp = {sharp} }}
map = [{{ use = "decode" }}]

[train]
epochs = 4

[checkpoint]
every = "2 steps"
keep = 8

[observe]
use = [{{ use = "metrics", every_steps = 1 }}, "images", {{ use = "tensorboard", histograms = true }}, "wandb"]
"""


def train(host, folder):
    """Trains 8 steps, and again from step 4 on. Returns the run's folder."""
    host_run.make_pictures(folder)
    quoted = {name: json.dumps(str(folder / name)) for name in ("blurred", "sharp")}
    pipeline = folder / "boards.toml"
    pipeline.write_text(PIPELINE.format(**quoted))
    run = folder / "run"
    subprocess.run([host, "train", "--quiet", "--pipeline", pipeline, "--run-folder", run], check=True)
    checkpoint = run / "checkpoints" / f"step-{RESUMED_FROM:08}.safetensors"
    subprocess.run([host, "resume", "--quiet", run, "--checkpoint", checkpoint], check=True)
    return run


def curves(run):
    """Returns the points of each curve that both observers draw, from events.jsonl: name -> {step: value}."""
    found = {}
    for line in (run / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        for name, value in event["scalars"].items():
            group = {"epoch_end": "epoch", "evaluation": "evaluation"}.get(event["kind"])
            if event["kind"] == "step":
                group = "time" if name.endswith("_seconds") else "train"
            if group:
                found.setdefault(f"{group}/{name}", {})[event["step"]] = math.nan if value is None else value
    assert sorted(found["train/loss"]) == list(range(1, STEPS + 1)), "events.jsonl lacks steps"
    return found


def usage(run):
    """Returns the rows of usage.csv."""
    with open(run / "usage.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_close(name, found, expected):
    """The keys are the same, and the values within 1 %."""
    assert list(found) == sorted(expected), f"{name}: the steps are {list(found)}, expected are {sorted(expected)}"
    for step, value in found.items():
        right = expected[step]
        same = math.isnan(value) and math.isnan(right) or math.isclose(value, right, rel_tol=0.01, abs_tol=1e-9)
        assert same, f"{name}, step {step}: {value}, expected is {right}"
