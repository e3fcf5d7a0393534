"""What gpu.sh reads from the logs of a part: one line, and exit status 1 where it is wrong.

    gpu_figures.py losses RUN RUN | weights RUN RUN | check FILE PROVIDER | bench FILE | convolutions FILE | busy FILE
"""

import json
import pathlib
import statistics
import struct
import sys

# Steps of float32 part ways slowly: sums are taken in another order, and each update carries the difference on.
MOST_DIFFERENCE = 2e-3  # of a loss, relative
LEAST_BUSY = 98  # per cent


def losses_of(run):
    """By step."""
    found = {}
    for line in (pathlib.Path(run) / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["kind"] == "step":
            found[event["step"]] = event["scalars"]["loss"]
    return found


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


def check(file, provider):
    found = json.loads(pathlib.Path(file).read_text())
    ours = [finding for finding in found["findings"] if finding["provider"] == provider]
    counts = {word: sum(finding["result"] == word for finding in ours) for word in ("passed", "failed", "skipped")}
    text = ", ".join(f"{count} {word}" for word, count in counts.items())
    return counts["passed"] > 0 and counts["failed"] == 0, f"{provider}: {text}"


def convolution_flops(figures):
    return sum(part["flops"] for part in figures["parts"])


def bench(file):
    figures = json.loads(pathlib.Path(file).read_text())
    step = figures["step_seconds"]["median"]
    memory = figures["memory"]
    peak = memory.get("device_peak", memory["resident_peak"])
    rates = figures["limit"]["flops_per_second"].values()
    return True, (
        f"{1e3 * step:.3f} ms a step, {figures['samples_per_second']:.1f} samples/s, "
        f"{1e-12 * convolution_flops(figures) / step:.1f} TFLOP/s ({1e-12 * max(rates):.1f} at best), "
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
    """nvidia-smi's lines of utilization, power, clock, temperature and memory; those of start and end are left out."""
    rows = [line.split(",") for line in pathlib.Path(file).read_text().splitlines()]
    numbers = [[float(field) for field in row] for row in rows if all(is_number(field) for field in row)]
    first = next((i for i, row in enumerate(numbers) if row[0] > 0), len(numbers))
    last = next((i for i in range(len(numbers), 0, -1) if numbers[i - 1][0] > 0), 0)
    run = numbers[first:last][2:-2]
    if not run:
        return False, "no samples of the run"
    share = statistics.median(row[0] for row in run)
    return share >= LEAST_BUSY, (
        f"{share:.0f} % (median of {len(run)}), {statistics.median(row[1] for row in run):.0f} W, "
        f"{statistics.median(row[2] for row in run):.0f} MHz, {max(row[3] for row in run):.0f} C, "
        f"{max(row[4] for row in run):.0f} MiB"
    )


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def main():
    commands = {"losses": losses, "weights": weights, "check": check, "bench": bench, "convolutions": convolutions, "busy": busy}
    is_right, text = commands[sys.argv[1]](*sys.argv[2:])
    print(text)
    sys.exit(0 if is_right else 1)


main()
