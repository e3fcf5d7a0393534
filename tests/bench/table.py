"""The results of `compare` as text."""

import statistics


def seconds(value):
    return f"{value:.3f} s" if value >= 1 else f"{1e3 * value:.3f} ms" if value >= 1e-3 else f"{1e6 * value:.1f} us"


def mebibytes(value):
    return f"{value / 2**20:.0f} MiB"


def percent(value):
    return f"{100 * value:.1f} %"


# (figure, title, format, ratio of ours and another's: "times" is theirs over ours, "share" is ours over theirs)
ROWS = [
    ("step_seconds", "step", seconds, "times"),
    ("samples_per_second", "samples a second", "{:.2f}".format, None),
    ("start_up_seconds", "start to first step", seconds, "share"),
    ("resident_peak", "peak memory", mebibytes, "share"),
    ("device_peak", "device memory", mebibytes, "share"),
    ("arena", "activations, workspace", mebibytes, "share"),
    ("of_limit", "of its own limit", percent, None),
    ("outside_convolutions", "outside convolutions", percent, None),
]


def spread(values, show):
    text = show(statistics.median(values))
    return text if len(values) == 1 else f"{text} ({show(min(values))} .. {show(max(values))})"


def ratio(ours, theirs, how):
    """Returns the ratio of the medians, and the range of the ratios pair by pair."""
    def of(a, b):
        return b / a if how == "times" else a / b

    show = "{:.2f}x".format if how == "times" else percent
    pairs = [of(a, b) for a, b in zip(ours, theirs)]
    text = show(of(statistics.median(ours), statistics.median(theirs)))
    return text if len(pairs) < 2 else f"{text} ({show(min(pairs))} .. {show(max(pairs))})"


def figures(entry, name):
    return [measurement[name] for measurement in entry["measurements"] if name in measurement]


def wanted_of(comparison, entry, name, show):
    """Returns the figure that we want to reach, as " (wanted 2.2x)"; empty: there is none."""
    version = "own" if entry["name"] == "sluice" else entry["measurements"][0]["version"]
    for known, wanted in comparison["wanted"].items():
        if (version.startswith(known) or entry["name"] == known) and name in wanted:
            return f" (wanted {show(wanted[name])})"
    return ""


def entry_lines(comparison, entry, ours):
    first = entry["measurements"][0]
    yield f"  {entry['name']} ({first['version']}, {first['parameters']} parameters)"
    for name, title, show, how in ROWS:
        values = figures(entry, name)
        if not values:
            continue
        line = f"    {title:<22} {spread(values, show):<40}"
        if entry is ours and how is None:
            line += wanted_of(comparison, entry, name, show)
        elif entry is not ours and how is not None:
            wanted = wanted_of(comparison, entry, name, "{:.1f}x".format if how == "times" else percent)
            line += f" sluice: {ratio(figures(ours, name), values, how)}{wanted}"
        yield line.rstrip()


def lines_of(comparison):
    """comparison: {"title", "entries": [{"name", "version", "measurements"} ...], ours first,
    "skipped": {name: reason}, "wanted": {"own", a version or a name: {figure: value}}}."""
    yield comparison["title"]
    for entry in comparison["entries"]:
        yield from entry_lines(comparison, entry, comparison["entries"][0])
    for name, reason in comparison["skipped"].items():
        yield f"  {name} skipped: {reason}"
    yield ""
