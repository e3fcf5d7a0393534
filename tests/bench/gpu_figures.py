"""Reads the logs of a part of gpu.sh and prints a line for its table.

Exit code 1: the result is wrong. Exit code 3: nothing is shown. With AIMS=no, results may be slower than wanted.

    gpu_figures.py losses RUN RUN | weights RUN RUN | check FILE PROVIDER STATUS
                   | unchecked FILE PROVIDER STATUS | of_case FILE NAME STATUS | rates FILE
                   | bench FILE MATRIX PRECISION | convolutions FILE TABLE | busy FILE | pace RUN FILE
                   | peers FILE RIVAL | compared FILE
"""

import json
import os
import pathlib
import re
import statistics
import struct
import sys

from table import lines_of, ratio, figures as figures_of

# Losses in float32 drift apart slowly, because sums have another order, and each update carries the difference on.
MOST_DIFFERENCE = 2e-3  # of a loss, relative
LEAST_BUSY = 0.98
MOST_BESIDE_PLAN = 256 * 2**20  # bytes that a step may use besides arena and weights
LEAST_PACE = 0.95  # of training, relative to steps on a batch in memory
HAS_AIMS = os.environ.get("AIMS") != "no"


def events_of(run):
    return [json.loads(line) for line in (pathlib.Path(run) / "events.jsonl").read_text().splitlines()]


def losses_of(run):
    """Returns the losses by step."""
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
    """Returns the bytes of each tensor of the last checkpoint, by name."""
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


def findings_of(file, provider):
    """Returns the findings of `host check --json` on the provider, True if the run is complete, and the last type.

    Findings are by layer type, with an entry for each type that was to be checked. An interrupted run, too, has printed
    each finding on a line of its own.
    """
    text = pathlib.Path(file).read_text()
    lines = text.splitlines()
    planned = json.loads(lines[0].removeprefix('{"checks": ').removesuffix(",")) if lines else []
    found = {layer: [] for layer, kernels in planned if kernels == provider}
    for line in lines[1:]:
        try:
            finding = json.loads(line.removesuffix(","))
        except json.JSONDecodeError:
            continue  # the JSON around findings, or the line at which the run was interrupted
        if finding["provider"] == provider:
            found[finding["component"]].append(finding)
    is_whole = text.endswith("}\n")
    last = next((layer for layer in reversed(found) if found[layer]), None)
    return found, is_whole, last


def check(file, provider, status):
    """Counts the findings. status: the exit code of `host check`; 124: it was interrupted."""
    found, is_whole, _ = findings_of(file, provider)
    ours = [finding for findings in found.values() for finding in findings]
    counts = {word: sum(finding["result"] == word for finding in ours) for word in ("passed", "failed", "skipped")}
    wrong = sorted({finding["component"] for finding in ours if finding["result"] == "failed"})
    text = ", ".join(f"{count} {word}" for word, count in counts.items())
    for dtype in TYPES:
        layers = sum(any(passed_in(finding, dtype) for finding in findings) for findings in found.values())
        text += f"; {dtype}: {layers} layer types"
    text += f"; wrong: {', '.join(wrong)}" if wrong else ""
    has_ended_well = status == "0" and is_whole or status == "124"
    text += "" if has_ended_well else f"; it ended with {status}"
    return counts["passed"] > 0 and counts["failed"] == 0 and has_ended_well, text


TYPES = ("float32", "bfloat16", "float16")


def dtype_of(finding):
    """Returns "bfloat16" of "case 2 (...), train, bfloat16, gradients added"; None: the case could not be made."""
    words = finding["place"].rsplit("), ", 1)[-1].split(", ")
    return words[1] if len(words) > 1 and words[1] in TYPES else None


def passed_in(finding, dtype):
    return finding["result"] == "passed" and dtype_of(finding) == dtype


def unchecked(file, provider, _status):
    """Lists layer types, or element types of them, with no passed case: not reached, or refused in every case."""
    found, is_whole, last = findings_of(file, provider)
    missing = []
    for layer, findings in found.items():
        if not findings or layer == last and not is_whole:
            missing.append(layer if not findings else f"the rest of {layer}")
            continue
        refused = [
            dtype
            for dtype in TYPES
            if any(dtype_of(finding) == dtype for finding in findings)
            and not any(passed_in(finding, dtype) for finding in findings)
        ]
        missing += [f"{layer} in {dtype}" for dtype in refused]
    text = ", ".join(missing) if missing else "each layer type in each element type"
    return None if missing else True, text


def of_case(file, name, status):
    """Shows what a case of the plugin contract found. A skipped case shows nothing but its reason."""
    text = pathlib.Path(file).read_text()
    if not text.endswith("}\n"):
        return (None, "it was interrupted") if status == "124" else (False, f"it ended with {status}")
    findings = [finding for finding in json.loads(text)["findings"] if finding["case"] == name]
    results = {finding["result"] for finding in findings}
    reason = "; ".join(finding["reason"] for finding in findings if finding.get("reason"))
    if results == {"skipped"}:
        return None, reason
    return results == {"passed"} and status == "0", reason or f"{len(findings)} passed"


def rates(file):
    """Shows the rates of matrix products, by type. The file has FLOP/s."""
    found = json.loads(pathlib.Path(file).read_text())
    text = ", ".join(f"{1e-12 * rate:.2f} TFLOP/s in {name}" for name, rate in found.items())
    return bool(found) and all(rate > 0 for rate in found.values()), text


def convolution_flops(figures):
    return sum(part["flops"] for part in figures["parts"])


def bench(file, matrix, precision):
    """matrix: the file that `rates` shows; it may be empty.

    Device memory has two figures. Our own allocations must be near the plan. What the card has in use since it was
    opened includes the code of the libraries.
    """
    figures = json.loads(pathlib.Path(file).read_text())
    matrix_rate = json.loads(pathlib.Path(matrix).read_text() or "{}").get(precision.removeprefix("mixed_"))
    rate = convolution_flops(figures) / figures["step_seconds"]["median"]
    step = figures["step_seconds"]["median"]
    memory = figures["memory"]
    planned = memory["predicted_arena"] + memory["predicted_weights"]
    peak = memory.get("device_peak", memory["resident_peak"])
    direct = figures["limit"]["flops_per_second"].values()
    taken = f", {memory['device_taken'] / 2**20:.0f} of the card" if "device_taken" in memory else ""
    is_right = step > 0 and rate > 0 and peak <= MOST_BESIDE_PLAN + 1.02 * planned
    return is_right, (
        f"{1e3 * step:.3f} ms a step, {figures['samples_per_second']:.1f} samples/s, "
        f"{1e-12 * rate:.1f} TFLOP/s ({1e-12 * max(direct):.1f} at best"
        + (f", {100 * rate / matrix_rate:.0f} % of products of matrices" if matrix_rate else "")
        + "), "
        f"{100 * figures['limit']['of_limit']:.0f} % of the limit, {peak / 2**20:.0f} MiB taken, "
        f"{planned / 2**20:.0f} planned{taken}, ready after {figures['start_up_seconds']:.1f} s"
    )


DIRECTION = re.compile(
    r"(?P<direction>fwd|bwd_d|bwd_w) engine (?P<engine>\d+)"
    r"(?: in (?P<milliseconds>\S+) ms, (?P<rate>\S+) TFLOP/s)?(?P<rest>, (?:bias apart|sums apart|with sums))?"
)


def directions_of(figures):
    """Returns (shapes, direction with engine and time, paths of the layers that are alike) for each convolution."""
    found = {}
    for part in figures["parts"]:
        for direction in DIRECTION.finditer(part["note"]) if part["direction"] == "forward" else ():
            key = (part["shapes"], direction.group(0))
            found.setdefault(key, (direction.groupdict(), []))[1].append(part["path"])
    return [(shapes, direction, paths) for (shapes, _), (direction, paths) in found.items()]


def convolutions(file, table):
    """Appends to the file `table` how fast cuDNN computed each convolution and direction, when it measured its engines.

    The one that takes longest comes first. Then come the launches that contain convolutions, with all else they do.
    """
    figures = json.loads(pathlib.Path(file).read_text())
    measured = [entry for entry in directions_of(figures) if entry[1]["milliseconds"]]
    missing = [entry for entry in directions_of(figures) if not entry[1]["milliseconds"]]
    lines = [f"{figures['pipeline']}, {figures['batch']} a batch, {figures['device']}"]
    for shapes, direction, paths in sorted(measured, key=lambda e: -float(e[1]["milliseconds"]) * len(e[2])) + missing:
        lines.append(
            f"{direction['rate'] or '-':>9} TFLOP/s {direction['milliseconds'] or '-':>9} ms x {len(paths):<3} "
            f"{direction['direction']:<6} engine {direction['engine']:<4} {shapes:<44} {paths[0]}{direction['rest'] or ''}"
        )
    lines.append("launches:")
    for part in sorted(figures["parts"], key=lambda part: -part["share"]):
        if part["flops"] > 0:
            lines.append(
                f"{1e-12 * part['flops_per_second']:9.2f} TFLOP/s {1e3 * part['seconds']['median']:9.4f} ms "
                f"{100 * part['share']:5.1f} % {part['direction']:<9} {part['path']:<30} {part['types']} "
                f"{part['kernel']} {part['note']}"
            )
    with open(table, "a") as out:
        print("\n".join(lines), file=out)
    if not measured:
        return None, "no engine was measured"
    speeds = [float(direction["rate"]) for _, direction, _ in measured]
    text = f"{len(measured)} directions, {min(speeds):.4g} to {max(speeds):.4g} TFLOP/s"
    return (None, f"{text}; {len(missing)} were not measured") if missing else (min(speeds) > 0, text)


def busy(file):
    """Shows the share of all launches and the update in the time of a step, while steps run on a batch in memory.

    NVML's share, which counts every moment in which any kernel ran, is shown next to it.
    """
    figures = json.loads(pathlib.Path(file).read_text())
    step = figures["step_seconds"]["median"]
    share = sum(part["seconds"]["median"] for part in figures["parts"] if part["direction"] != "rest") / step
    known = [f"{100 * share:.1f} % of a step by events"]
    usage = figures.get("usage", {"limit": ""})
    shown = {
        "busy_share": (100, "% by NVML"),
        "power_watts": (1, "W"),
        "clock_hertz": (1e-6, "MHz"),
        "celsius": (1, "C"),
        "used_bytes": (2**-20, "MiB in use by all"),
    }
    known += [f"{scale * usage[name]:.0f} {unit}" for name, (scale, unit) in shown.items() if name in usage]
    known += [f"held back by {usage['limit']}"] if usage["limit"] else []
    return share >= LEAST_BUSY or not HAS_AIMS, ", ".join(known)


def pace(run, file):
    """Compares steps of training with steps on a batch in memory, and shows the time of an end of an epoch."""
    steps = [event for event in events_of(run) if event["kind"] == "step"]
    gaps = [
        (later["seconds"] - earlier["seconds"], later["step"] - earlier["step"], later["epoch"] != earlier["epoch"])
        for earlier, later in zip(steps, steps[1:])
    ]
    seconds = statistics.median(gap / count for gap, count, _ in gaps)
    ends = [gap - seconds * count for gap, count, is_end in gaps if is_end]
    share = json.loads(pathlib.Path(file).read_text())["step_seconds"]["median"] / seconds
    text = f"{1e3 * seconds:.3f} ms a step with its data, {100 * share:.0f} % as fast"
    if ends:
        text += f"; an end of an epoch, which evaluates and saves, takes {1e3 * statistics.median(ends):.0f} ms"
    return share >= LEAST_PACE or not HAS_AIMS, text


def peers(file, rival):
    """Shows what `compare --json` found about one rival."""
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
    commands = [losses, weights, check, unchecked, of_case, rates, bench, convolutions, busy, pace, peers, compared]
    is_right, text = {command.__name__: command for command in commands}[sys.argv[1]](*sys.argv[2:])
    print(text)
    sys.exit(3 if is_right is None else 0 if is_right else 1)


main()
