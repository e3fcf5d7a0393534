"""The command line of both input pipelines, and the count of their batches."""

import argparse
import json
import pathlib
import time

from process_figures import peak_resident_bytes


def read_arguments(settings):
    """`settings`: the names of the peer's settings."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, help="holds the JPEG files")
    parser.add_argument("--setting", choices=settings, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--side", type=int, required=True, help="of the square that is cut out")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    arguments = parser.parse_args()
    arguments.files = sorted(str(file) for file in arguments.folder.glob("*.jpg"))
    return arguments


def count_batches(batches, arguments, version):
    """Warms up for a fifth of the seconds, then counts batches for all of the seconds, and prints JSON."""
    batches = iter(batches)
    samples = 0
    start = time.perf_counter()
    while time.perf_counter() - start < arguments.seconds / 5:
        next(batches)
    start = time.perf_counter()
    while time.perf_counter() - start < arguments.seconds:
        batch = next(batches)
        assert tuple(sorted(batch.shape)) == tuple(sorted((arguments.batch, arguments.side, arguments.side, 3)))
        samples += arguments.batch
    figures = {
        "version": version,
        "samples_per_second": samples / (time.perf_counter() - start),
        "resident_peak": peak_resident_bytes(),
    }
    print(json.dumps(figures), flush=True)
