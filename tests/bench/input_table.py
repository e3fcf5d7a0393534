"""The measurements of `input` and `replicas` as text."""

import statistics

from table import mebibytes, percent, seconds, spread

SHOWN = {
    "samples/s": "{:.1f} samples/s".format,
    "bytes": mebibytes,
    "seconds": seconds,
    "share": percent,
}


def version_of(entry):
    words = dict.fromkeys(", ".join(filter(None, [m.get("version"), m.get("setting")])) for m in entry["measurements"])
    return "; ".join(word for word in words if word and word != "Sluice")


def ratio_line(ratio):
    show = "{:.2f}x".format if ratio["unit"] == "times" else percent
    holds = "" if ratio["holds"] else "  SHORT OF IT"
    text = f"  {ratio['what']:<58} {spread(ratio['values'], show):<28} (wanted {ratio['wanted']}){holds}"
    return text.rstrip()


def lines_of(comparison):
    """comparison: {"title", "entries": [{"name", "unit", "measurements": [{"value", "version", "setting"}]}],
    "ratios": [{"what", "values", "unit", "wanted", "holds"}], "skipped": {name: reason}}."""
    yield comparison["title"]
    for entry in comparison["entries"]:
        values = [measurement["value"] for measurement in entry["measurements"]]
        version = version_of(entry)
        yield f"  {entry['name']:<28} {spread(values, SHOWN[entry['unit']]):<50} {version}".rstrip()
    for ratio in comparison["ratios"]:
        yield ratio_line(ratio)
    for name, reason in comparison["skipped"].items():
        yield f"  {name} skipped: {reason}"
    yield ""


def exit_code(comparisons):
    """Returns 1 if a ratio misses what is wanted, or else 0."""
    return 0 if all(ratio["holds"] for comparison in comparisons for ratio in comparison["ratios"]) else 1


def ratio_of(what, values, wanted, unit="times", at_most=False):
    """values: a ratio for each pair. Their median must reach `wanted`, or with `at_most` must not exceed it."""
    middle = statistics.median(values)
    show = "{:.1f}x".format if unit == "times" else percent
    text = ("at most " if at_most else "at least ") + show(wanted)
    return {
        "what": what,
        "values": values,
        "median": middle,
        "unit": unit,
        "wanted": text,
        "holds": middle <= wanted if at_most else middle >= wanted,
    }
