"""Chromium shows report.html of a run: its figures are those of the run's files, and it asks the network for nothing.

    report_page.py HOST

Exit code 77: there is no Chromium.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    print("skipped: there is no chromium")
    sys.exit(77)

LONG_STEPS = 100_000
MOST_SECONDS = 2.0  # to open the report of a long run
EVIL = "<img src=x onerror=document.title='run'>&amp;"
PIPELINE = """
version = 1
include = "deblur.toml"
[data]
batch = 4
[data.train]
source = { use = "dead_leaves", count = 32, size = [160, 160] }
[data.validation]
source = { use = "dead_leaves", count = 4, size = [160, 160], split = "validation" }
[train]
epochs = 2
[observe]
use = [{ use = "metrics", every_steps = 1 }, "images"]
"""


class Page(html.parser.HTMLParser):
    """The rendered page: labels of charts, cells of tables by caption, addresses of pictures, texts of elements."""

    def __init__(self, text):
        super().__init__()
        self.charts, self.pictures, self.tables, self.elements, self.words = [], [], {}, [], []
        self.caption = None
        self.inside = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag == "canvas":
            self.charts.append(attributes["aria-label"])
        if tag == "img":
            self.pictures.append(attributes)
        if tag == "td" and self.caption:
            self.tables[self.caption][-1].append(attributes.get("data-value"))
        if tag == "tr" and self.caption:
            self.tables[self.caption].append([])
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass
        if tag == "table":
            self.caption = None

    def handle_data(self, data):
        if "caption" in self.inside:
            self.caption = data
            self.tables[data] = []
        elif self.caption and "td" in self.inside and self.tables[self.caption][-1][-1] is None:
            self.tables[self.caption][-1][-1] = data
        if "script" not in self.inside and "style" not in self.inside:
            self.words.append(data)


def show(file, folder, *options):
    """Renders the file. Returns the page and the addresses that the browser asked for."""
    log = folder / "net.json"
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += [f"--log-net-log={log}", "--virtual-time-budget=5000", *options, "--dump-dom", file.resolve().as_uri()]
    out = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
    return Page(out), addresses_asked(log.read_text())


def addresses_asked(log):
    """The addresses that the page asked for. The browser's own requests have no origin."""
    try:
        events = json.loads(log)["events"]
    except json.JSONDecodeError:  # the browser ended before it wrote the end of the log
        events = json.loads(log.rstrip().rstrip(",") + "]}")["events"]
    all_params = (event.get("params") or {} for event in events)
    requests = [params for params in all_params if params.get("initiator", "not an origin") != "not an origin"]
    return [params["url"] for params in requests if params.get("url", "").startswith("http")]


def digits(value):
    """The number as the page writes it."""
    return float(f"{value:.4g}")


def check_curves(page, run):
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    steps = [event["scalars"] for event in events if event["kind"] == "step"]
    scores = [event["scalars"] for event in events if event["kind"] == "evaluation"]
    found = next(label for label in page.charts if label.startswith("Loss,"))
    first, last, first_score, last_score = map(float, re.findall(r"from (\S+) to ([^\s,]+)", found)[0] + re.findall(
        r"from (\S+) to ([^\s,]+)", found)[1])
    assert first == digits(steps[0]["loss"]) and last == digits(steps[-1]["loss"]), found
    assert first_score == digits(scores[0]["validation_loss"]), found
    assert last_score == digits(scores[-1]["validation_loss"]), found
    found = next(label for label in page.charts if label.startswith("psnr,"))
    assert f"to {digits(scores[-1]['psnr'])}" in found, found
    parts = {row[0]: float(row[1]) for row in page.tables["Mean of all steps"] if row}
    stages = {"input": ("read", "preprocess"), "copies": ("upload", "download"), "compute": ("forward", "backward", "optimizer"),
              "exchange": ("exchange",), "observers": ("output",), "files": ("storage",), "rest": ("prepare", "other")}
    assert parts.keys() == stages.keys(), parts
    for part, names in stages.items():
        wanted = sum(step[f"{name}_seconds"] for step in steps for name in names) / len(steps)
        assert abs(parts[part] - wanted) < 1e-9, (part, parts[part], wanted)
    print(f"{len(page.charts)} charts and {len(page.tables)} tables have the figures of {len(steps)} steps")


def check_window(page, host, run):
    """The tables of recorded steps are those that the program prints."""
    shown = json.loads(subprocess.run([host, "profile", "show", run, "--json"], check=True, capture_output=True, text=True).stdout)
    for caption, rows in (("Stages of a step", shown["stages"]["rows"]), ("Launches by operation, per step", shown["table"]["rows"])):
        found = next(table for name, table in page.tables.items() if name.startswith(caption))
        found = {row[0]: float(row[2]) for row in found if row}
        assert found, page.tables.keys()
        for row in rows[:40]:
            assert abs(found[row["name"]] - row["total_seconds"]) <= 1e-9 + 1e-6 * row["total_seconds"], (caption, row)
    print(f"{len(shown['table']['rows'])} operations have the figures of profile show")


def check_text(page, run):
    assert not any(attributes.get("onerror") for _, attributes in page.elements), "a text became markup"
    assert EVIL in "".join(page.words), "the warning is not shown as it is"
    assert len(page.pictures) == 3 and all(one["src"].startswith("data:image/png") for one in page.pictures)
    headings = [tag for tag, _ in page.elements if tag in ("h1", "h2")]
    assert headings[0] == "h1" and headings.count("h1") == 1
    assert all(attributes.get("alt") for tag, attributes in page.elements if tag == "img")
    assert all(attributes.get("aria-label") for tag, attributes in page.elements if tag == "canvas")


def check_long_run(host, folder):
    run = folder / "long"
    run.mkdir()
    names = ("read", "preprocess", "upload", "forward", "backward", "optimizer", "exchange", "download", "output")
    with open(run / "events.jsonl", "w") as events:
        scalars = {"epochs": 1, "steps": LONG_STEPS, "steps_per_epoch": LONG_STEPS, "batch": 8}
        for step in range(LONG_STEPS + 1):
            line = {"kind": "step" if step else "run_begin", "epoch": 1, "step": step, "seconds": step, "text": ""}
            events.write(json.dumps({**line, "scalars": scalars}, separators=(",", ":")) + "\n")
            scalars = {"loss": 1 / (step + 1), "rate": 0.1, "step_seconds": 0.9, "samples": 8}
            scalars |= {f"{name}_seconds": 0.1 for name in names}
    subprocess.run([host, "report", run], check=True, stdout=subprocess.DEVNULL)
    blank = folder / "blank.html"
    blank.write_text("<!doctype html><title>blank</title>")
    times = {}
    for file in (blank, run / "report.html") * 3:
        began = time.monotonic()
        show(file, folder)
        times.setdefault(file, []).append(time.monotonic() - began)
    seconds = min(times[run / "report.html"]) - min(times[blank])
    print(f"a report of {LONG_STEPS} steps, {(run / 'report.html').stat().st_size / 1e6:.1f} MB, opens in {seconds:.2f} s")
    assert seconds < MOST_SECONDS


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        pipeline = folder / "short.toml"
        pipeline.write_text(PIPELINE)
        run = folder / EVIL.replace("/", "")
        subprocess.run([host, "train", "--quiet", pipeline, "--run-folder", run, "--profile", "3-4"], check=True)
        with open(run / "log.txt", "a") as log:
            log.write(f"2026-01-01 00:00:00 W {EVIL}\n")
        subprocess.run([host, "report", run], check=True, stdout=subprocess.DEVNULL)
        page, asked = show(run / "report.html", folder)
        assert not asked, f"the page asked for {asked}"
        asking = folder / "asking.html"
        asking.write_text('<!doctype html><img src="http://example.com/a.png">')
        assert show(asking, folder)[1], "requests are not seen"
        check_curves(page, run)
        check_text(page, run)
        check_window(page, host, run)
        check_long_run(host, folder)
    print("the same figures")


if __name__ == "__main__":
    main()
