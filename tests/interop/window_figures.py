"""Figures of a recorded window, computed from the window's own file: what other tools must find in our files, too."""

import json
import subprocess

import host_run

STEP, STAGE, UPLOAD = 0, 1, 9  # kinds of spans
LOOP, STREAM = 0, 5  # kinds of threads
KERNEL = 17  # the kind of operations that are kernels of an unknown launch, which have no path
WORDS = {2: "forward", 3: "recompute", 4: "backward", 5: "optimizer"}  # of kinds of spans
WAITS = ("read", "preprocess")  # stages in which the loop waits for its input
TOLERANCE = 0.01

PIPELINE = """
version = 1
include = {include}

[data]
batch = 2
workers = 1
prefetch = 1

[data.train]
source = {{ use = "image_pairs", blurred = {blurred}, sharp = {sharp} }}
map = [{{ use = "decode" }}{transforms}]

[evaluate]
every = "1000 steps"

[checkpoint]
every = "1000 steps"

[observe]
use = ["metrics", "trace", "xprof"]
"""

# Enlarging a picture takes longer than training on a small part of it.
TRANSFORMS = {
    "computing": "",
    "waiting": ', { use = "resize", size = [1024, 1024] }, { use = "random_crop", size = [32, 32] }',
    "emulated": ', { use = "random_crop", size = [32, 32] }',
}


def record_run(host, kind, folder, plugins=None):
    """Trains 12 steps and records steps 6 to 10. Returns the run's folder.

    kind: "computing", "waiting" for the input, or "emulated": on the emulated GPU in the folder `plugins`.
    """
    host_run.make_pictures(folder)
    pipelines = host.parent / "../../share/sluice/pipelines"
    names = {"include": (pipelines / "deblur.toml").resolve(), "blurred": folder / "blurred", "sharp": folder / "sharp"}
    quoted = {key: json.dumps(str(value)) for key, value in names.items()}
    pipeline = folder / f"{kind}.toml"
    pipeline.write_text(PIPELINE.format(transforms=TRANSFORMS[kind], **quoted))
    run = folder / kind
    command = [host, "train", "--quiet", "--pipeline", pipeline, "--steps", "12", "--profile", "6-10"]
    if kind == "emulated":
        command += ["--plugin", plugins, "--set", "device.use=emulated_cuda", "--set", "device.kernels=auto"]
    subprocess.run([str(word) for word in (*command, "--run-folder", run)], check=True)
    return run


def write_made_window(window_files, kind, folder):
    """Lets the observers write a window that is made by hand. Returns the folder. kind: see window_files.cpp."""
    subprocess.run([str(window_files), kind, str(folder / kind)], check=True)
    return folder / kind


def window_file(run):
    """The file with the window itself."""
    made = run / "window.json"
    return made if made.exists() else next((run / "profile").glob("steps-*.json"))


def union(intervals):
    """Total length of the intervals, overlaps counted once."""
    total, end = 0, None
    for begin, stop in sorted(intervals):
        if end is None or begin > end:
            total += stop - begin
        elif stop > end:
            total += stop - end
        end = stop if end is None else max(end, stop)
    return total


def extent(intervals):
    """Time from the first begin to the last end."""
    return max(end for _, end in intervals) - min(begin for begin, _ in intervals)


class Figures:
    """Times are milliseconds.

    steps: duration of each step, by number
    stages: total time of each stage of the training loop, by name
    operations: total time of each operation, by "forward/PATH"; on a device if there is one
    kernels: the same by the name of the kernel, if the device reports these
    uploads: total time; of the device's copies if there is one
    busy, span: of the device, all streams together: time with work, and time from the first work to the last
    idle: of each stream, by its number: time without work between its first work and its last; by None: of all streams
        of a window that is made by hand
    """

    def __init__(self, file):
        window = json.loads(file.read_text())
        columns = window["spans"]
        spans = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        threads = [thread["kind"] for thread in window["threads"]]

        def on_device(span):
            return threads[span["thread"]] == STREAM

        self.has_device = STREAM in threads
        self.has_kernels = any(operation["kind"] == KERNEL for operation in window["operations"])
        self.first_step, self.last_step = window["first_step"], window["last_step"]
        self.steps, self.stages, self.operations, self.kernels = {}, {}, {}, {}
        work, of_streams = [], {}
        for span in spans:
            thread = threads[span["thread"]]
            duration = (span["end"] - span["begin"]) / 1e6
            if span["kind"] == STEP and thread == LOOP:
                self.steps[span["step"]] = duration
            elif span["kind"] == STAGE and thread == LOOP:
                name = window["names"][span["name"]]
                self.stages[name] = self.stages.get(name, 0) + duration
            elif span["operation"] >= 0 and on_device(span) == self.has_device:
                operation = window["operations"][span["operation"]]
                if operation["kind"] != KERNEL:
                    name = f"{WORDS[operation['kind']]}/{operation['path']}"
                    self.operations[name] = self.operations.get(name, 0) + duration
            if span["operation"] >= 0 and span["name"] >= 0 and on_device(span):
                name = window["names"][span["name"]]
                self.kernels[name] = self.kernels.get(name, 0) + duration
            if on_device(span):
                work.append((span["begin"], span["end"]))
                of_streams.setdefault(window["threads"][span["thread"]].get("id"), []).append(work[-1])
        self.uploads = self.stages.get("upload", 0)
        if self.has_device:
            self.uploads = sum(s["end"] - s["begin"] for s in spans if s["kind"] == UPLOAD and on_device(s)) / 1e6
        self.busy = union(work) / 1e6
        self.span = extent(work) / 1e6 if work else 0
        self.idle = {number: (extent(own) - union(own)) / 1e6 for number, own in of_streams.items()}
        points = window["points"]
        names = [window["names"][name] for name in points["name"]]
        resident = [value for name, value in zip(names, points["value"], strict=True) if name == "resident_bytes"]
        self.most_resident = max(resident, default=0)
        self.arena = max((tensor["offset"] + tensor["bytes"] for tensor in window["tensors"]), default=0)

    @property
    def total(self):
        return sum(self.steps.values())

    def wait(self):
        return sum(self.stages.get(stage, 0) for stage in WAITS)

    def input_share(self):
        """Share of the steps in which the loop waits for its input or uploads it."""
        return (self.wait() + self.uploads) / self.total


def check_kind(kind, figures):
    """The run must be of the kind that the test is about."""
    waits = figures.input_share() >= 0.2
    assert waits == kind.startswith("waiting"), f"{kind}: {figures.input_share():.1%} of the steps is input"


def check_close(what, found, expected, scale=None):
    """scale: what the tolerance is a share of; None: the expected value."""
    allowed = TOLERANCE * abs(expected if scale is None else scale)
    assert abs(found - expected) <= allowed, f"{what}: found {found}, but the window says {expected}"
