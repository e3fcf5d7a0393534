"""`host watch` in tmux, in 80 columns and 24 lines: of a run that computes, one that waits for input, one that has
ended, and one of two ranks.

    watch_screens.py HOST [FOLDER FOR THE SCREENS]

Exit code 77: there is no tmux.
"""

import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

TMUX = shutil.which("tmux")
if TMUX is None:
    print("skipped: there is no tmux")
    sys.exit(77)

COMPUTING = """
version = 1
include = "deblur.toml"
[data]
batch = 4
[data.train]
source = { use = "dead_leaves", count = 16, size = [160, 160] }
[data.validation]
source = { use = "dead_leaves", count = 4, size = [160, 160], split = "validation" }
[train]
epochs = 1000
[observe]
use = [{ use = "metrics", every_steps = 1 }]
"""
# Each sample is made anew, from a large picture, and the network is small.
WAITING = """
version = 1
include = "computes.toml"
[data]
workers = 1
[data.train]
source = { use = "dead_leaves", count = 512, size = [1024, 1024] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 9, angle = 0 },
  { use = "random_crop", fields = ["blurred", "sharp"], size = [64, 64] },
]
[model]
layers = [{ type = "conv2d", filters = 3, kernel = 3 }]
"""


class Terminal:
    """A screen of tmux, with a server of its own."""

    def __init__(self, command, columns=80, lines=24):
        self.socket = f"watch-{os.getpid()}-{time.monotonic_ns()}"
        shown = f"{command}; echo exit code $?; sleep 1000"  # tmux itself does not always know the code
        self.run("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), shown)
        atexit.register(self.close)

    def run(self, *arguments):
        return subprocess.run([TMUX, "-L", self.socket, *arguments], check=True, capture_output=True, text=True).stdout

    def screen(self):
        return self.run("capture-pane", "-p")

    def wait_for(self, *words, seconds=60):
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if all(word in screen for word in words):
                return screen
            assert time.monotonic() < end, f"{words} did not appear:\n{screen}"
            time.sleep(0.2)

    def press(self, key):
        self.run("send-keys", key)

    def resize(self, columns, lines):
        self.run("resize-window", "-x", str(columns), "-y", str(lines))

    def close(self):
        subprocess.run([TMUX, "-L", self.socket, "kill-server"], check=False, capture_output=True)


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    keep = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    os.environ["LC_ALL"] = "C.UTF-8"

    def show(what, screen):
        lines = screen.splitlines()
        assert len(lines) <= 24 and all(len(line) <= 80 for line in lines)
        print(f"--- {what}\n{screen}")
        if keep:
            (keep / f"{what.replace(' ', '-')}.txt").write_text(screen)

    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        pathlib.Path("computes.toml").write_text(COMPUTING)
        pathlib.Path("waits.toml").write_text(WAITING)
        for what, pipeline, limit in (("a run that computes", "computes.toml", "computes "),
                                      ("a run that waits for input", "waits.toml", "waits for input")):
            folder = f"runs/{pipeline.partition('.')[0]}"
            run = subprocess.Popen([host, "train", "--quiet", pipeline, "--run-folder", folder])
            while not pathlib.Path(folder, "resolved.toml").exists():
                assert run.poll() is None
                time.sleep(0.1)
            terminal = Terminal(f"{host} watch {folder}")
            terminal.wait_for("running", limit, "cpu", "left")
            time.sleep(8)
            show(what, terminal.wait_for(limit))
            terminal.resize(40, 10)
            terminal.wait_for("running", "epoch 1")
            terminal.resize(80, 24)
            terminal.wait_for("running", "q quits")
            run.terminate()
            assert run.wait(60) == 143
            show(what.replace("a run", "after a run"), terminal.wait_for("interrupted"))
            terminal.press("q")
            terminal.wait_for("exit code 0")
            terminal.close()
        launched = subprocess.Popen([host, "launch", "-n", "2", "computes.toml", "--run-folder", "runs/ranks"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not pathlib.Path("runs/ranks/events.jsonl").exists():
            assert launched.poll() is None
            time.sleep(0.1)
        terminal = Terminal(f"{host} watch runs/ranks")
        terminal.wait_for("running", "rank 1")
        time.sleep(5)
        show("two ranks", terminal.screen())
        launched.terminate()
        launched.wait(60)
        terminal.wait_for("interrupted")
        terminal.press("C-c")
        terminal.wait_for("exit code 0")
        terminal.close()
        subprocess.run([host, "train", "--quiet", "computes.toml", "--steps", "8", "--run-folder", "runs/ended"], check=True)
        terminal = Terminal(f"TERM=vt100 LC_ALL=C {host} watch runs/ended")
        show("a run that has ended, on an old terminal", terminal.wait_for("finished", "step 8/8"))
        terminal.press("q")
        terminal.wait_for("exit code 0")
        terminal.close()
        terminal = Terminal(f"TERM=nonsense {host} watch runs/ended")
        terminal.wait_for("TERM=nonsense", "--once", "exit code 2")
        terminal.close()


if __name__ == "__main__":
    main()
