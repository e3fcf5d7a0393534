#!/usr/bin/env python3
"""Prints how the wall time of several runs is accounted for: accounts.py HOST PHOTOS [EMULATED_PLUGINS].

HOST is the program, PHOTOS a folder of photographs, and EMULATED_PLUGINS the folder with the plugins of an emulated
device, whose run is left out if it is not given. `wall` is the time from the first event of the run to its last, by the
clock of the events; `sum` is what the phases after the start add up to, as a share of it, and `other` the share that belongs
to no stage. Exits with 1 if a sum is off by more than 1 %, or `other` is above 1 %.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

STEPS = ["--set", "observe.use=[{ use = \"metrics\", every_steps = 1 }]"]
PHASES = ("start_seconds", "steps_seconds", "evaluation_seconds", "checkpoints_seconds", "profiling_seconds")


def works(photos, emulated):
    deblur = ["train", "deblur.toml", "--steps", "60"]
    yield "deblur.toml", deblur
    yield "deblur-photos.toml", ["train", "deblur-photos.toml", "--steps", "60", "--set", f"data.train.source.folder={photos}",
                                 "--set", f"data.validation.source.folder={photos}"]
    yield "two replicas", [*deblur, "--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"]
    yield "two processes", ["launch", "-n", "2", "deblur.toml", "--steps", "60"]
    yield "evaluation each 50 steps", ["train", "deblur.toml", "--steps", "150", "--set", "evaluate.every=50 steps"]
    yield "checkpoint each step", [*deblur, "--set", "checkpoint.every=1 steps"]
    if emulated:
        tiny = pathlib.Path(__file__).resolve().parent / "pipelines" / "tiny.toml"
        yield "emulated device", ["train", tiny, "--steps", "60", "--plugin", emulated, "--set", "device.use=emulated_cuda"]


def run_of(host, arguments, folder):
    """The events of the run."""
    command = [host, *arguments, *STEPS, "--run-folder", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder.parent)
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    return events


def main():
    host, photos = (os.path.abspath(path) for path in sys.argv[1:3])
    emulated = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
    failed = False
    print(f"{'run':26} {'wall s':>8} {'start':>7} {'steps':>7} {'eval.':>7} {'checkp.':>7} {'prof.':>7} {'sum':>8} {'other':>7}")
    for name, arguments in works(photos, emulated):
        with tempfile.TemporaryDirectory() as scratch:
            events = run_of(host, arguments, pathlib.Path(scratch) / "run")
        end = events[-1]
        begin = next(event for event in events if event["kind"] == "run_begin")
        phases = [end["scalars"][phase] for phase in PHASES]
        wall = end["seconds"] - begin["seconds"]
        total = sum(phases[1:]) / wall
        other = end["scalars"]["other_seconds"] / wall
        print(f"{name:26} {wall:8.2f} " + " ".join(f"{phase:7.2f}" for phase in phases) +
              f" {100 * total:7.2f}% {100 * other:6.2f}%", flush=True)
        failed = failed or abs(total - 1) > 0.01 or other > 0.01
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
