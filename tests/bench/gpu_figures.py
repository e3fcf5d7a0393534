"""What gpu.sh reads from the logs of a part: a line for its table. Exit status 1 where it is wrong, 3 where nothing is
shown. Where AIMS=no what should be fast may be slow.

    gpu_figures.py losses RUN RUN | weights RUN RUN | check FILE PROVIDER STATUS | rates FILE
                   | bench FILE MATRIX PRECISION | convolutions FILE | busy FILE | pace RUN FILE
                   | peers FILE RIVAL | compared FILE
"""

import json
import os
import pathlib
import struct
import sys

from table import lines_of, ratio, figures as figures_of

# Steps of float32 part ways slowly: sums are taken in another order, and each update carries the difference on.
MOST_DIFFERENCE = 2e-3  # of a loss, relative
LEAST_BUSY = 0.98
LEAST_PACE = 0.95  # of training, beside steps on data that are there
HAS_AIMS = os.environ.get("AIMS") != "no"


def events_of(run):
    return [json.loads(line) for line in (pathlib.Path(run) / "events.jsonl").read_text().splitlines()]


def losses_of(run):
    """By step."""
    return {event["step"]: event["scalars"]["loss"] for event in events_of(run) if event["kind"] == "step"}


def losses(first, second):
    ours, theirs = losses_of(first), losses_of(second)
    if not ours or ours.keys() != theirs.keys():
        return False, f"{len(ours)} and {len(theirs)} steps"
    apart = {step: abs(ours[step] - theirs[step]) / abs(ours[step]) for step in ours}
    worst = max(apart, key=apart.get)
    text = f"{len(apart)} steps, at most {apart[worst]:.1e} apart (step {worst}: {ours[worst]:.6g}, {theirs[worst]:.6g})"
    return apart[worst] <= MOST_DIFFERENCE, text


def tensors_of(run):
    """Bytes of each tensor of the last checkpoint."""
    data = (pathlib.Path(run) / "checkpoints" / "last.safetensors").read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    body = data[8 + size :]
    return {name: body[slice(*entry["data_offsets"])] for name, entry in header.items()}


def weights(first, second):
    ours, theirs = tensors_of(first), tensors_of(second)
    differ = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    text = f"{len(ours)} tensors" + (f", {len(differ)} differ: {differ[0]}" if differ else ", all bits alike")
    return bool(ours) and not differ, text


def check(file, provider, status):
    """status: what `host check` ended with."""
    found = json.loads(pathlib.Path(file).read_text())
    ours = [finding for finding in found["findings"] if finding["provider"] == provider]
    counts = {word: sum(finding["result"] == word for finding in ours) for word in ("passed", "failed", "skipped")}
    text = ", ".join(f"{count} {word}" for word, count in counts.items())
    text = f"{provider}: {text}" + (f"; it ended with {status}" if status != "0" else "")
    return counts["passed"] > 0 and counts["failed"] == 0 and status == "0", text


def rates(file):
    """Of products of matrices, in FLOP a second by type."""
    found = json.loads(pathlib.Path(file).read_text())
    return True, ", ".join(f"{1e-12 * rate:.2f} TFLOP/s in {name}" for name, rate in found.items())


def convolution_flops(figures):
    return sum(part["flops"] for part in figures["parts"])


def bench(file, matrix, precision):
    """matrix: the file that `rates` shows; it may be empty."""
    figures = json.loads(pathlib.Path(file).read_text())
    matrix_rate = json.loads(pathlib.Path(matrix).read_text() or "{}").get(precision.removeprefix("mixed_"))
    rate = convolution_flops(figures) / figures["step_seconds"]["median"]
    step = figures["step_seconds"]["median"]
    memory = figures["memory"]
    peak = memory.get("device_peak", memory["resident_peak"])
    direct = figures["limit"]["flops_per_second"].values()
    return True, (
        f"{1e3 * step:.3f} ms a step, {figures['samples_per_second']:.1f} samples/s, "
        f"{1e-12 * rate:.1f} TFLOP/s ({1e-12 * max(direct):.1f} at best"
        + (f", {100 * rate / matrix_rate:.0f} % of products of matrices" if matrix_rate else "")
        + "), "
        f"{100 * figures['limit']['of_limit']:.0f} % of the limit, {peak / 2**20:.0f} MiB"
    )


def convolutions(file):
    figures = json.loads(pathlib.Path(file).read_text())
    lines = [f"{figures['pipeline']}, {figures['batch']} a batch, {figures['device']}"]
    for part in sorted(figures["parts"], key=lambda part: -part["share"]):
        if part["flops"] > 0:
            lines.append(
                f"{1e-12 * part['flops_per_second']:8.2f} TFLOP/s {1e6 * part['seconds']['median']:9.1f} us "
                f"{100 * part['share']:5.1f} % {part['direction']:<9} {part['path']:<30} {part['types']} "
                f"{part['kernel']} {part['note']}"
            )
    return len(lines) > 1, "\n".join(lines)


def busy(file):
    """While steps followed each other, on a batch that is there."""
    usage = json.loads(pathlib.Path(file).read_text()).get("usage")
    if usage is None or "busy_share" not in usage:
        return None, "the device does not tell"
    known = [f"{100 * usage['busy_share']:.0f} % of the time"]
    shown = {"power_watts": (1, "W"), "clock_hertz": (1e-6, "MHz"), "celsius": (1, "C"), "memory_bytes": (2**-20, "MiB")}
    known += [f"{scale * usage[name]:.0f} {unit}" for name, (scale, unit) in shown.items() if name in usage]
    known += [f"held back by {usage['limit']}"] if usage["limit"] else []
    return usage["busy_share"] >= LEAST_BUSY or not HAS_AIMS, ", ".join(known)


def pace(run, file):
    """Of the last half of a training, beside steps on a batch that is there."""
    steps = [event for event in events_of(run) if event["kind"] == "step"]
    first, last = steps[len(steps) // 2 - 1], steps[-1]
    seconds = (last["seconds"] - first["seconds"]) / (last["step"] - first["step"])
    share = json.loads(pathlib.Path(file).read_text())["step_seconds"]["median"] / seconds
    text = f"{1e3 * seconds:.3f} ms a step with its data, {100 * share:.0f} % as fast"
    return share >= LEAST_PACE or not HAS_AIMS, text


def peers(file, rival):
    """What `compare --json` found of one rival."""
    (comparison,) = json.loads(pathlib.Path(file).read_text())
    entries = {entry["name"]: entry for entry in comparison["entries"]}
    if rival not in entries:
        skipped = comparison["skipped"]
        return None, skipped.get(rival) or skipped.get(rival.split()[0]) or "did not take part"
    found = {}
    for name, how in {"step_seconds": "times", "device_peak": "share", "resident_peak": "share"}.items():
        ours, theirs = figures_of(entries["sluice"], name), figures_of(entries[rival], name)
        if ours and theirs:
            found[name] = ratio(ours, theirs, how)
    wanted = comparison["wanted"].get(rival, {}).get("step_seconds") if HAS_AIMS else None
    text = f"{found['step_seconds']} its speed" + (f", wanted {wanted}x" if wanted else "")
    text += f", {found['device_peak']} of its device memory" if "device_peak" in found else ""
    text += f", {found['resident_peak']} of its host memory"
    return not wanted or float(found["step_seconds"].split("x")[0]) >= wanted, text


def compared(file):
    comparisons = json.loads(pathlib.Path(file).read_text())
    return True, "\n".join(line for comparison in comparisons for line in lines_of(comparison))


def main():
    commands = [losses, weights, check, rates, bench, convolutions, busy, pace, peers, compared]
    is_right, text = {command.__name__: command for command in commands}[sys.argv[1]](*sys.argv[2:])
    print(text)
    sys.exit(3 if is_right is None else 0 if is_right else 1)


main()
