"""The contestants of `input`: `host drain`, tf.data, PyTorch's DataLoader and libjpeg-turbo alone.

Each is measured in a process of its own. Every measurement is a dict with samples_per_second and version. Ours also has
the figures of its stages.
"""

import json
import pathlib
import subprocess
import tempfile
import time

from contestants import HERE, Unavailable, on_cores, run

PIPELINE = HERE / "pipelines" / "photos.toml"


def with_sets(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def photos_in(folder):
    """Returns settings that read the JPEG files of this folder."""
    return {"data.train.source": f'{{ use = "photos", folder = "{folder}" }}'}


def cropped(side):
    crop = f'{{ use = "random_crop", size = [{side}, {side}] }}'
    return {"data.train.map": f'[{{ use = "decode" }}, {crop}, {{ use = "random_flip" }}]'}


def prepare(host, settings, folder, options, cores):
    """Writes records into the folder, and returns the settings that read them."""
    printed, _ = run([host, "prepare", PIPELINE, "--out", folder, *with_sets(settings), *options], cores)
    lines = (line.split(" = ", 1) for line in printed.splitlines())
    return dict(settings, **{f"data.train.{key}": value for key, value in lines})


class Sluice:
    def __init__(self, host, name, settings, pipeline=PIPELINE):
        self.host = host
        self.name = name
        self.settings = settings
        self.pipeline = pipeline

    def choose(self, cores, seconds):
        pass

    def command(self, cores, *until):
        settings = {"data.workers": cores.threads, **self.settings}
        return [self.host, "drain", self.pipeline, "--json", "--quiet", *until, *with_sets(settings)]

    def measure(self, cores, seconds):
        figures = json.loads(run(self.command(cores, "--seconds", seconds), cores)[0])
        return {"version": "Sluice", "samples_per_second": figures["samples_per_second"], "stages": figures["stages"]}

    def weigh(self, cores, epochs):
        """Returns (own, resident): the peak of the process's own memory over some epochs, and of all resident memory.

        Both are in bytes. The latter includes pages of mapped files, which the system takes back if memory is short.
        """
        words = [str(word) for word in self.command(cores, "--epochs", epochs)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **on_cores(cores))
        own, resident = 0, 0
        while True:
            try:
                _, errors = process.communicate(timeout=0.002)
                break
            except subprocess.TimeoutExpired:
                sizes = sizes_of(process.pid)
                own, resident = max(own, sizes.get("RssAnon", 0)), max(resident, sizes.get("VmRSS", 0))
        if process.returncode != 0:
            raise Unavailable((errors.strip().splitlines() or ["it failed"])[-1])
        return own, resident


class Trained(Sluice):
    """The whole training instead of its input alone."""

    BATCH = 16
    PATIENCE = 60  # seconds until the second epoch

    def measure(self, cores, seconds):
        settings = {
            "data.workers": cores.threads,
            **self.settings,
            "train.epochs": 10**6,
            "evaluate.every": '"1000000 epochs"',
            "observe.use": '[{ use = "metrics", every_steps = 10 }]',
        }
        with tempfile.TemporaryDirectory() as folder:
            run_folder = pathlib.Path(folder) / "run"
            command = [self.host, "train", self.pipeline, "--run-folder", run_folder, "--quiet", *with_sets(settings)]
            process = subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, **on_cores(cores))
            try:
                end = time.monotonic() + self.PATIENCE
                while not any(step["epoch"] > 1 for step in steps_of(run_folder)):
                    if process.poll() is not None or time.monotonic() > end:
                        raise Unavailable(f"{self.name}: the training does not reach its second epoch")
                    time.sleep(0.1)
                first = steps_of(run_folder)[-1]
                time.sleep(seconds)
                last = steps_of(run_folder)[-1]
            finally:
                process.kill()
                process.communicate()
        rate = self.BATCH * (last["step"] - first["step"]) / (last["seconds"] - first["seconds"])
        return {"version": "Sluice", "samples_per_second": rate}


def steps_of(run_folder):
    """Returns the events of a run's steps. The last line is left out, because it may not be complete yet."""
    path = run_folder / "events.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return [event for event in map(json.loads, lines) if event["kind"] == "step"]


def sizes_of(process):
    """Returns name -> bytes of the process's memory now; empty: the process is about to exit."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line.startswith(("RssAnon:", "VmRSS:"))]
    return {word[0].rstrip(":"): int(word[1]) * 1024 for word in words}


class Peer:
    """A script of peers/ with several settings.

    Each setting is tried once. Those that came near the best take part in every turn, and the fastest counts.
    """

    NEAR = 0.9
    MOST = 3

    def __init__(self, name, python, script, settings, folder, batch, side):
        self.name = name
        self.python = python
        self.script = script
        self.settings = settings
        self.options = ["--batch", batch, "--side", side]
        self.folder = folder

    def choose(self, cores, seconds):
        found = {setting: self._rate(setting, cores, seconds)["samples_per_second"] for setting in self.settings}
        best = max(found.values())
        ranked = sorted(found, key=found.get, reverse=True)
        self.settings = [setting for setting in ranked if found[setting] >= self.NEAR * best][: self.MOST]

    def measure(self, cores, seconds):
        found = [self._rate(setting, cores, seconds) for setting in self.settings]
        return max(found, key=lambda figures: figures["samples_per_second"])

    def _rate(self, setting, cores, seconds):
        command = [self.python, "-B", HERE / "peers" / self.script, self.folder, "--setting", setting, *self.options]
        command += ["--threads", cores.threads, "--seconds", seconds]
        figures = json.loads(run(command, cores)[0].splitlines()[-1])
        return dict(figures, setting=setting)


class LibJpeg:
    """Decodes the files of a folder and does nothing else."""

    name = "libjpeg-turbo alone"

    def __init__(self, programs, folder):
        self.program = programs / "libjpeg_turbo"
        self.files = sorted(pathlib.Path(folder).glob("*.jpg"))

    def choose(self, cores, seconds):
        pass

    def measure(self, cores, seconds):
        return json.loads(run([self.program, cores.threads, seconds, *self.files], cores)[0])
