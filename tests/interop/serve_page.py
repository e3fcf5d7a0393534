"""Chromium shows the pages of `host serve`: figures are those of the files, and a live run's page changes by itself.

    serve_page.py HOST [FOLDER FOR SCREENSHOTS]

Exit code 77: there is no Chromium.
"""

import fcntl
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

from browser import CHROMIUM, Browser
import report_page
from serve_attacks import Server

MOST_SECONDS = 1.0  # to list 500 runs
MOST_SECONDS_OF_PAGE = 2.0  # until the browser shows the list
EVIL = "<img src=x onerror=document.title='run'>&amp;"

F_OFD_SETLK = 37  # fcntl.h


def pixel():
    """A PNG file of one black pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def show(server, browser, target):
    browser.open(f"http://127.0.0.1:{server.port}{target}")
    browser.wait_for("document.querySelector('h1') !== null")
    return report_page.Page(browser.html())


def event(kind, step, text="", **scalars):
    line = {"kind": kind, "epoch": 1, "step": step, "seconds": step, "text": text, "scalars": scalars}
    return json.dumps(line, separators=(",", ":")) + "\n"


def step(number, loss):
    return event("step", number, loss=loss, step_seconds=0.5, samples=8, forward_seconds=0.3, read_seconds=0.2)


def make_run(name, steps, loss):
    run = pathlib.Path("runs", name)
    run.mkdir(parents=True)
    (run / "resolved.toml").write_text(f'name = "x"\n[optimizer]\nrate = {loss}\n')
    with open(run / "events.jsonl", "w") as events:
        events.write(event("run_begin", 0, epochs=1, steps=1000, batch=8))
        for number in range(1, steps + 1):
            events.write(step(number, loss / number))
    return run


def check_listing(host):
    seconds = []
    for _ in range(3):
        began = time.monotonic()
        subprocess.run([host, "runs"], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.monotonic() - began)
    print(f"502 runs are listed in the terminal after {min(seconds):.2f} s")
    assert min(seconds) < MOST_SECONDS


def check_list(server, browser):
    began = time.monotonic()
    page = show(server, browser, "/")
    seconds = time.monotonic() - began
    rows = [row for row in page.tables["Runs"] if row]
    assert len(rows) == 502, len(rows)
    assert EVIL in [row[1] for row in rows], rows[:3]
    assert not any(attributes.get("onerror") for _, attributes in page.elements)
    links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
    assert "/run?name=" + urllib.parse.quote(EVIL, safe="") in links
    print(f"502 runs are listed after {seconds:.2f} s")
    assert seconds < MOST_SECONDS_OF_PAGE


def check_run(server, browser):
    page = show(server, browser, "/run?name=live")
    label = next(label for label in page.charts if label.startswith("Loss,"))
    assert "from 1 to 0.01" in label, label
    evil = show(server, browser, "/run?name=" + urllib.parse.quote(EVIL, safe=""))
    assert EVIL in "".join(evil.words)
    assert not any(attributes.get("onerror") for _, attributes in evil.elements)


def check_live(server, browser, run):
    """The run goes on and has a picture while the page is open, which keeps what its reader did."""
    (run / "samples").mkdir()
    (run / "samples/epoch_001.png").write_bytes(pixel())
    with open(run / ".lock", "w") as lock:
        fcntl.fcntl(lock, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))  # the run is alive
        show(server, browser, "/run?name=live")
        browser.evaluate("window.isSame = true; window.scrollTo(0, 300)")
        browser.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        tables = browser.wait_for("document.querySelectorAll('details[open] table').length")
        browser.evaluate("document.querySelector('details .scroll').scrollTo(0, 70)")
        browser.evaluate("document.querySelector('nav a').focus({ preventScroll: true })")
        with open(run / "events.jsonl", "a") as events:
            events.write(step(101, 0.125) + event("samples", 101, "epoch_001"))
        browser.wait_for("document.querySelector('canvas').getAttribute('aria-label').includes('to 0.125')")
        browser.wait_for("document.querySelector('img')?.naturalWidth === 1")
    assert browser.evaluate("window.isSame"), "the page was loaded again"
    browser.wait_for(f"document.querySelectorAll('details[open] table').length === {tables}")
    assert tables > 1, "one table cannot be mistaken for another"
    assert browser.evaluate("document.querySelector('details .scroll').scrollTop") == 70, "the table was scrolled back"
    assert browser.evaluate("document.activeElement.textContent") == "All runs", "the focus was lost"
    assert browser.evaluate("window.scrollY") == 300
    browser.wait_for("document.querySelector('.state').textContent === 'killed'")
    print("curves and pictures of a live run arrive without a reload")


def check_choice(server, browser):
    show(server, browser, "/")
    browser.evaluate("for (const name of ['run-7', 'run-8']) document.querySelector(`input[value=${name}]`).click()")
    browser.evaluate("document.querySelector('button').click()")
    browser.wait_for("document.querySelector('h1')?.textContent === 'Comparison of runs'")
    assert "run=run-" in browser.evaluate("location.search")


def check_comparison(host, server, browser):
    page = show(server, browser, "/compare?run=live&run=run-1")
    told = subprocess.run([host, "compare", "runs/live", "runs/run-1", "--json"], check=True, capture_output=True, text=True)
    verdict = json.loads(told.stdout)["others"][0]["verdict"]
    assert verdict in "".join(page.words), verdict
    label = next(label for label in page.charts if label.startswith("Training loss,"))
    assert "A: live from 1" in label and "B: run-1 from 2" in label, label
    assert any("optimizer.rate" in word for word in page.words)


def check_layout(server, browser, keep):
    """No page is wider than a phone; dark pages have dark grounds."""
    for what, target in (("list", "/"), ("run", "/run?name=run-1"), ("comparison", "/compare?run=run-1&run=run-2")):
        for width, scheme in ((1280, "light"), (390, "light"), (1280, "dark")):
            browser.resize(width, 1000)
            browser.prefer(scheme)
            show(server, browser, target)
            wide = browser.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{target}: {wide} pixels in {width}"
            ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (ground == "rgb(255, 255, 255)") == (scheme == "light"), ground
            if keep:
                browser.screenshot(keep / f"{what}-{width}-{scheme}.png")
    browser.resize(1280, 1000)


def main():
    if CHROMIUM is None:
        print("skipped: there is no chromium")
        sys.exit(77)
    host = pathlib.Path(sys.argv[1]).resolve()
    keep = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        live = make_run("live", 100, 1.0)
        make_run(EVIL.replace("/", ""), 5, 1.0)
        for number in range(500):
            make_run(f"run-{number}", 60, 2.0)
        server = Server(host)
        browser = Browser(folder)
        try:
            check_listing(host)
            check_list(server, browser)
            check_run(server, browser)
            check_comparison(host, server, browser)
            check_choice(server, browser)
            check_live(server, browser, live)
            check_layout(server, browser, keep)
            own = (f"http://127.0.0.1:{server.port}/", "about:")
            foreign = [address for address in browser.asked() if not address.startswith(own)]
            assert not foreign, f"the pages asked for {foreign}"
        finally:
            browser.close()
            server.stop()
    print("the same figures")


if __name__ == "__main__":
    main()
