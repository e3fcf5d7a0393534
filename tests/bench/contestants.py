"""The contestants of `compare`: `host bench` and the frameworks, each measured in a process of its own.

Every measurement is a dict with version, parameters, step_seconds (median), samples_per_second, start_up_seconds and
resident_peak. Ours also has arena, of_limit and outside_convolutions. On a GPU there is also device_peak, the memory in
use there.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent


class Unavailable(Exception):
    """The contestant cannot take part; the message says why."""


class Late(Unavailable):
    """The contestant did not finish within the limit. It may finish in the next turn."""


class Cores:
    """The CPU cores that a process may use, and its time limit."""

    def __init__(self, threads, limit=None):
        self.limit = limit  # seconds of a measurement; None: no limit
        self.cores = sorted(os.sched_getaffinity(0))[:threads]

    @property
    def threads(self):
        return len(self.cores)


class Work(Cores):
    """A training to measure: a model of peers/, and the pipeline of the same name."""

    def __init__(self, model, batch, steps, precision, threads, device="cpu", limit=None):
        super().__init__(threads, limit)
        self.model = model
        self.batch = batch
        self.steps = steps
        self.precision = precision  # "float32", "bfloat16" or "float16"
        self.device = device  # as pipelines name it


def on_cores(cores):
    """Returns options of subprocess with which a process sees only these cores and prints text."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(cores.threads), MKL_NUM_THREADS=str(cores.threads))
    pin = lambda: os.sched_setaffinity(0, cores.cores)
    return {"text": True, "env": environment, "preexec_fn": pin}


def run(command, cores, limit=None):
    """Returns what the command prints, and its errors. It sees only these cores, and may take `limit` seconds."""
    words = [str(word) for word in command]
    try:
        finished = subprocess.run(words, capture_output=True, timeout=limit, **on_cores(cores))
    except subprocess.TimeoutExpired as late:
        raise Late(f"took longer than {limit} s") from late
    if finished.returncode != 0:
        lines = finished.stderr.strip().splitlines()
        raise Unavailable(lines[-1] if lines else f"{command[0]} ended with {finished.returncode}")
    return finished.stdout, finished.stderr


class Sluice:
    """`host bench` with these settings. `precision` replaces that of the work."""

    def __init__(self, host, name="sluice", settings=(), precision=None, takes_part=lambda work: True):
        self.host = host
        self.name = name
        self.settings = settings
        self.precision = precision
        self.takes_part = takes_part

    def prepare(self, work):
        """Tunes kernels, without a time limit. measure() finds the choices in the tuning cache."""
        run([self.host, "plan", *self._pipeline(work)], work)

    def measure(self, work):
        command = [self.host, "bench", *self._pipeline(work), "--json", "--quiet", "--steps", work.steps]
        printed, errors = run(command, work, work.limit)
        for line in errors.splitlines():
            if "are not captured" in line:  # a warning of the host; times of such steps mean nothing
                raise Unavailable(line)
        figures = json.loads(printed)
        measured = {
            "version": self.name.capitalize(),
            "parameters": figures["parameters"],
            "step_seconds": figures["step_seconds"]["median"],
            "samples_per_second": figures["samples_per_second"],
            "start_up_seconds": figures["start_up_seconds"],
            "resident_peak": figures["memory"]["resident_peak"],
            "arena": figures["memory"]["predicted_arena"],
            "of_limit": figures["limit"]["of_limit"],
            "outside_convolutions": figures["outside_convolutions"],
        }
        if "device_peak" in figures["memory"]:
            measured["device_peak"] = figures["memory"]["device_peak"]
        return measured

    def _pipeline(self, work):
        precision = self.precision or work.precision
        settings = [f"data.batch={work.batch}", f"device.use={work.device}", *self.settings]
        if precision != "float32":
            settings.append(f"precision.use=mixed_{precision}")
        words = [HERE / "pipelines" / f"{work.model}.toml"]
        for setting in settings:
            words += ["--set", setting]
        return words


def own_contestants(host, device="cpu"):
    """Returns Sluice with each of the settings to compare.

    On a GPU any kernel may be used, as in PyTorch. One work is also measured with the default, deterministic kernels.
    On the CPU, works in bfloat16 are also measured in float32.
    """
    if device != "cpu":

        def is_model(work):
            return (work.model, work.batch) == ("article", 8)

        return [
            Sluice(host, settings=["deterministic=false"]),
            Sluice(host, "sluice deterministic", takes_part=is_model),
        ]

    def beside_bfloat16(work):
        return work.precision == "bfloat16"

    direct = 'device.kernels=[{ use = "onednn", winograd = false }, "reference"]'
    return [
        Sluice(host),
        Sluice(host, "sluice float32", precision="float32", takes_part=beside_bfloat16),
        Sluice(host, "sluice direct float32", [direct], "float32", beside_bfloat16),
    ]


class Framework:
    """A script of peers/, run by a Python that has the framework."""

    def __init__(self, name, python, script, options=()):
        self.name = name
        self.python = python
        self.script = script
        self.options = options

    def takes_part(self, work):
        return True

    def prepare(self, work):
        """On a GPU, fills the caches of compilation and tuning. This takes minutes and has no time limit."""
        if work.device != "cpu":
            run(self._command(work, steps=1), work)

    def measure(self, work):
        figures = json.loads(run(self._command(work, work.steps), work, work.limit)[0].splitlines()[-1])
        seconds = statistics.median(figures.pop("seconds"))
        return dict(figures, step_seconds=seconds, samples_per_second=work.batch / seconds)

    def _command(self, work, steps):
        command = [self.python, "-B", HERE / "peers" / self.script, work.model, *self.options]
        command += ["--batch", work.batch, "--steps", steps, "--threads", work.threads]
        command += ["--precision", work.precision]
        return command if work.device == "cpu" else [*command, "--device", "cuda", "--warm-up", 10]


def find_torch(named, modules="torch"):
    """Returns the Python with PyTorch: the named one, or else Debian's, or else the one that runs this."""
    for python in [named] if named else ["/usr/bin/python3", sys.executable]:
        try:
            subprocess.run([python, "-c", f"import {modules}"], check=True, capture_output=True)
            return python
        except (OSError, subprocess.CalledProcessError):
            pass
    raise Unavailable(f"{named or 'no python3 here'} cannot import {modules} (Debian: python3-torch)")


def torch_contestants(named, device="cpu"):
    python = find_torch(named)
    if device != "cpu":
        layout = ["--layout", "channels_last"]
        return [
            Framework("torch eager", python, "torch_step.py", layout),
            Framework("torch compile", python, "torch_step.py", [*layout, "--compile", "reduce-overhead"]),
            Framework("torch autotune", python, "torch_step.py", [*layout, "--compile", "max-autotune"]),
        ]
    return [
        Framework(f"torch {layout}", python, "torch_step.py", ["--layout", layout])
        for layout in ("contiguous", "channels_last")
    ]


def find_tensorflow(folder):
    """Returns the Python of a virtual environment with tensorflow-cpu. The first call makes it in the folder."""
    python = folder / "bin" / "python"
    installed = folder / "installed"
    if not installed.exists():
        print(f"installing tensorflow-cpu into {folder}", file=sys.stderr)
        try:
            venv.create(folder, with_pip=True, clear=True)
            install = [python, "-m", "pip", "install", "--quiet", "tensorflow-cpu"]
            subprocess.run(install, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as failed:
            lines = (getattr(failed, "stderr", "") or str(failed)).strip().splitlines()
            raise Unavailable(f"tensorflow-cpu cannot be installed: {lines[-1] if lines else failed}") from failed
        installed.touch()
    return python


def tensorflow_contestants(folder):
    return [Framework("tensorflow graph", find_tensorflow(folder), "tensorflow_step.py")]
