"""XProf reads the files of the observer `xprof`, and finds the figures of the window.

    xprof_files.py HOST WINDOW_FILES EMULATED_PLUGINS

Exit code 77: a package that this needs is missing.
"""

import json
import pathlib
import sys
import tempfile

try:
    from xprof.convert import raw_to_tool_data
except ImportError as missing:
    print(f"skipped: {missing} (PyPI: xprof)")
    sys.exit(77)

import window_figures
from window_figures import check_close


def read_tool(files, tool, options=None):
    """The tool's page as JSON. Some tools take one file only."""
    page, _ = raw_to_tool_data.xspace_to_tool_data(
        [str(file) for file in files], tool, {"use_saved_result": False, **(options or {})}
    )
    assert page is not None, f"{tool} cannot read {files}"
    return json.loads(page)


def rows(table):
    columns = [column["id"] for column in table["cols"]]
    return [dict(zip(columns, (cell.get("v") for cell in row["c"]), strict=True)) for row in table["rows"]]


def expected_verdict(share):
    """XProf's words, by its limits."""
    return "HIGHLY" if share >= 0.2 else "MODERATELY" if share >= 0.05 else None


def compare_verdict(statement, share):
    expected = expected_verdict(share)
    if expected is None:
        assert "HIGHLY" not in statement and "MODERATELY" not in statement, f"{share:.1%} input: {statement}"
    else:
        assert f"{expected} input-bound" in statement, f"{share:.1%} input: {statement}"


def compare_overview(files, figures):
    tables = read_tool(files, "overview_page")
    steps = rows(tables[1])
    assert len(steps) == len(figures.steps), f"XProf finds {len(steps)} steps"
    for row in steps:
        check_close(f"step {row['stepnum']}", row["stepTimeMs"], figures.steps[int(row["stepnum"])])
    infeed = sum(row["infeedTimeMs"] for row in steps)
    check_close("input", infeed, figures.input_share() * figures.total, figures.total)
    compare_verdict(tables[3]["p"]["statement"], figures.input_share())
    print("  XProf:", tables[3]["p"]["statement"].split(" of the")[0])


def compare_analyser(files, figures):
    tables = read_tool(files, "input_pipeline_analyzer")
    compare_verdict(tables[1]["p"]["input_conclusion"], figures.input_share())
    kinds = {row["category"] for row in rows(tables[2])}
    assert "Preprocessing" in kinds and any("file read" in kind for kind in kinds), f"the stages are {kinds}"


def compare_operations(files, figures):
    place = "Device" if figures.has_device else "Host"
    found = {
        row["operation"]: row["total_time"] / 1000
        for row in rows(read_tool(files, "framework_op_stats")[0])
        if row["host_or_device"] == place
    }
    assert figures.operations or figures.has_kernels, "the window has no operations"
    for name, duration in figures.operations.items():
        check_close(name, found[name], duration)


def compare_memory(files, figures):
    allocators = read_tool(files, "memory_profile")["memoryProfilePerAllocator"]
    peaks = {name: int(one["profileSummary"]["peakStats"]["heapAllocatedBytes"]) for name, one in allocators.items()}
    check_close("resident memory", peaks["resident_bytes"], figures.most_resident)
    if not figures.has_kernels:  # of a replayed graph, it is not known when tensors live
        assert 0 < peaks["arena"] <= figures.arena, f"{peaks['arena']} bytes of an arena of {figures.arena}"


def compare_trace(files, figures):
    options = {"trace_viewer_options": {}, "hosts": ["localhost"]}
    trace = read_tool(files, "trace_viewer@", options)
    names = {event.get("name") for event in trace["traceEvents"]}
    missing = {str(step) for step in figures.steps} - names
    assert not missing, f"the trace viewer does not show the steps {missing}"


def check(run):
    figures = window_figures.Figures(window_figures.window_file(run))
    window_figures.check_kind(run.name, figures)
    files = list(run.glob("plugins/profile/*/*.xplane.pb"))
    assert len(files) == 1, f"{run} has the files {files}"
    print(f"{run.name}: {figures.total / len(figures.steps):.3f} ms a step, {figures.input_share():.1%} input")
    for compare in (compare_overview, compare_analyser, compare_operations, compare_memory, compare_trace):
        compare(files, figures)


def main():
    host, window_files, plugins = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in ("waiting", "computing", "waiting-gpu", "computing-gpu"):
            check(window_figures.write_made_window(window_files, kind, folder / "made"))
        for kind in ("waiting", "computing", "emulated"):
            check(window_figures.record_run(host, kind, folder, plugins))
    print("the same figures")


main()
