"""Counts how often `host compare` is right about real runs of this machine.

    comparisons.py HOST [--pairs N] [--steps N] [--folder F]

Trains N pairs of equal runs. Of each pair, the verdict must be "no difference beyond noise". Then each stage that takes a
tenth of a step or more is made slower by 10 % in the recorded events of the second run: the verdict must name it.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PIPELINE = """
version = 1
include = "deblur.toml"
[data]
batch = 4
[data.train]
source = { use = "dead_leaves", count = 64, size = [96, 96] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 9, angle = 0 },
  { use = "cache", in = "memory" },
  { use = "random_crop", fields = ["blurred", "sharp"], size = [64, 64] },
]
[data.validation]
source = { use = "dead_leaves", count = 4, size = [160, 160], split = "validation" }
[train]
epochs = 1000
[observe]
use = [{ use = "metrics", every_steps = 1 }]
"""
EQUAL = "no difference beyond noise"
SLOWER = 1.1
WORTH = 0.1  # share of a step
RIGHT = 0.95  # share of right answers


def verdict(host, a, b):
    out = subprocess.run([host, "compare", a, b, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(out)["others"][0]["verdict"]


def first_named(said):
    """The first stage of which the verdict says that it takes more."""
    found = re.search(r"(\w+) takes (?:[\d.]+ % of a step instead of [\d.]+ % \([^)]* more\)|[\d.]+ \w+ longer)", said)
    return found and found[1]


def slowed(run, stage, to):
    """A copy of the run in which the stage takes 10 % longer."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    shutil.copy(run / "resolved.toml", to)
    with open(to / "events.jsonl", "w") as events:
        for line in (run / "events.jsonl").read_text().splitlines():
            event = json.loads(line)
            if event["kind"] == "step":
                more = (SLOWER - 1) * event["scalars"][stage]
                event["scalars"][stage] += more
                event["scalars"]["step_seconds"] += more
            events.write(json.dumps(event, separators=(",", ":")) + "\n")
    return to


def stages_of(run):
    steps = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    steps = [event["scalars"] for event in steps if event["kind"] == "step"]
    whole = sum(step["step_seconds"] for step in steps)
    names = [name for name in steps[0] if name.endswith("_seconds") and name not in ("step_seconds", "data_seconds")]
    return [name for name in names if sum(step[name] for step in steps) >= WORTH * whole]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--folder", type=pathlib.Path, default=None, help="keep the runs here, and use those that are there")
    options = parser.parse_args()
    host = options.host.resolve()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    (folder / "pipeline.toml").write_text(PIPELINE)
    equal, named, tried = 0, collections.Counter(), collections.Counter()
    for pair in range(options.pairs):
        runs = [folder / f"{pair}-{name}" for name in "ab"]
        for run in runs:
            if not run.exists():
                subprocess.run([host, "train", "--quiet", folder / "pipeline.toml", "--steps", str(options.steps),
                                "--run-folder", run], check=True)
        said = verdict(host, *runs)
        equal += said.startswith(EQUAL)
        line = f"pair {pair + 1}: {said}"
        for stage in stages_of(runs[0]):
            title = stage.removesuffix("_seconds")
            said = verdict(host, runs[0], slowed(runs[1], stage, folder / "slowed"))
            named[title] += first_named(said) == title
            tried[title] += 1
            line += f"; {title} slower by 10 %: {said}"
        print(line, flush=True)
    print(f"{equal} of {options.pairs} pairs of equal runs: {EQUAL}")
    for title, count in tried.items():
        print(f"{named[title]} of {count} times, {title} is named as the stage that became slower")
    if options.folder is None:
        shutil.rmtree(folder)
    if min([equal, *(named[title] for title in tried)]) < RIGHT * options.pairs:
        sys.exit(f"right answers are wanted in {RIGHT:.0%} of the cases")


if __name__ == "__main__":
    main()
