"""Two trainings that run in turn, in slices of a second or two.

While one training runs, the process of the other is stopped, so other load of the machine affects both alike. Two runs
one after the other would differ by more than the input costs a step.
"""

import json
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

from contestants import Unavailable, on_cores
from input_contestants import steps_of, with_sets

WARM_STEPS = 8  # left out of a slice, at most half of it, because their batches were made before it


class Training:
    """A process that trains deblur-photos.toml without end. After its first epoch it runs only inside run_for()."""

    def __init__(self, place, name, settings):
        self.folder = place.folder / f"training-{name}-{time.time_ns()}"
        settings = {
            **settings,
            "train.epochs": 10**6,
            "device.use": "cpu",
            "evaluate.every": '"1000000 epochs"',
            "observe.use": '[{ use = "metrics", every_steps = 1 }]',
        }
        command = [place.host, "--pipeline", "deblur-photos.toml", "--run-folder", self.folder, "--quiet"]
        words = [str(word) for word in [*command, *with_sets(settings)]]
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(words, stderr=self.errors, stdout=self.errors, **on_cores(place.cores))

    def __enter__(self):
        try:
            self.warm_up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def expect_alive(self):
        if self.process.poll() is not None:
            self.errors.seek(0)
            raise Unavailable(f"the training ended: {self.errors.read().strip()[-1000:]}")

    def warm_up(self):
        """Waits for the second epoch, in which photographs come from the cache, and stops the process."""
        while not any(step["epoch"] > 1 for step in self.steps()):
            self.expect_alive()
            time.sleep(0.1)
        self.process.send_signal(signal.SIGSTOP)

    def run_for(self, seconds):
        self.expect_alive()
        self.process.send_signal(signal.SIGCONT)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGSTOP)

    def steps(self):
        return steps_of(self.folder)

    def slices(self, count, seconds):
        """Terminates the process. Returns the scalars of steps with full batches, for each of the last `count` slices.

        A slice is a call of run_for(seconds). Between two slices, no step ended for more than half of `seconds`.
        """
        self.process.send_signal(signal.SIGTERM)
        self.process.send_signal(signal.SIGCONT)
        self.process.wait()
        steps = self.steps()
        slices, before = [[]], steps[0]["seconds"]
        for step in steps:
            if step["seconds"] - before > seconds / 2:
                slices.append([])
            else:
                slices[-1].append(step["scalars"])
            before = step["seconds"]
        full = max(step["samples"] for step in slices[0])
        warm = [part[min(WARM_STEPS, len(part) // 2) :] for part in slices[-1 - count : -1]]  # the last one is the exit
        return [[step for step in part if step["samples"] == full] for part in warm]


def pairs_of_slices(first, second, count, seconds):
    """Returns `count` pairs of the median seconds of a step, (first, second), each from two neighbouring slices.

    Also returns the share of its time for which `second` waited for data.
    """
    for _ in range(count):
        for training in (first, second):
            training.run_for(seconds)
    made = [training.slices(count, seconds) for training in (first, second)]
    medians = [
        [statistics.median(step["step_seconds"] for step in part) for part in parts if part] for parts in made
    ]
    if any(len(of_training) < count for of_training in medians):
        raise Unavailable(f"slices of {seconds:g} s are too short for a whole step")
    of_second = [step for part in made[1] for step in part]
    waited = sum(step["data_seconds"] for step in of_second) / sum(step["step_seconds"] for step in of_second)
    return list(zip(*medians)), waited
