"""Holistic Trace Analysis reads the files of the observer `trace`, and finds the figures of the window.

    trace_files.py HOST WINDOW_FILES EMULATED_PLUGINS

Exit code 77: a package that this needs is missing.
"""

import os
import pathlib
import sys
import tempfile
import warnings

os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"  # otherwise all times are rounded to microseconds
warnings.filterwarnings("ignore")
try:
    import pandas
    from hta.trace_analysis import TraceAnalysis
except ImportError as missing:
    print(f"skipped: {missing} (PyPI: traceinsight)")
    sys.exit(77)
if int(pandas.__version__.split(".")[0]) >= 3:
    print(f"skipped: traceinsight 0.6 needs pandas below 3, and this is {pandas.__version__}")
    sys.exit(77)

import window_figures
from window_figures import check_close


def totals(frame, name, value):
    """Milliseconds by name."""
    return dict(zip(frame[name], frame[value] / 1000, strict=True))


def compare(analysis, figures):
    """Steps, stages and operations, with and without a device."""
    steps = [int(step) for step in analysis.get_profiler_steps()]
    assert steps == list(range(figures.first_step, figures.last_step + 1)), f"the steps are {steps}"
    annotations = totals(
        analysis.get_gpu_user_annotation_breakdown(use_gpu_annotation=False, visualize=False, num_kernels=1000),
        "name",
        "sum (us)",
    )
    for step, duration in figures.steps.items():
        check_close(f"step {step}", annotations[f"ProfilerStep#{step}"], duration)
    for stage, duration in figures.stages.items():
        check_close(f"stage {stage}", annotations[stage], duration, figures.total)
    events = analysis.t.get_trace(0)
    names = analysis.t.symbol_table.get_sym_table()
    category = analysis.t.symbol_table.get_sym_id_map()["kernel" if figures.has_device else "cpu_op"]
    operations = events[events["cat"] == category].groupby("name")["dur"].sum() / 1000
    found = {names[name]: duration for name, duration in operations.items()}
    assert figures.operations or figures.has_kernels, "the window has no operations"
    for name, duration in (figures.kernels or figures.operations).items():
        check_close(name, found[name], duration)


def compare_device(analysis, figures):
    """What only traces with a device have."""
    breakdown = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    check_close("time of kernels", breakdown["kernel_time(us)"] / 1000, figures.span)
    check_close("idle time", breakdown["idle_time(us)"] / 1000, figures.span - figures.busy, figures.span)
    idle = analysis.get_idle_time_breakdown(ranks=[0], visualize=False)[0]
    for stream, expected in figures.idle.items():
        own = idle if stream is None else idle[idle["stream"] == stream]
        found = own["idle_time"].sum() / 1000
        check_close(f"idle time of stream {stream} by reason", found, expected, figures.span)
    graph, is_found = analysis.critical_path_analysis(
        rank=0, annotation="ProfilerStep", instance_id=1, data_load_events=list(window_figures.WAITS)
    )
    assert is_found, "there is no critical path"
    path = graph.get_critical_path_breakdown()
    loading = path[path["bound_by"] == "data_loading"]["duration"].sum() / 1000
    steps = len(figures.steps)
    check_close("input on the critical path", loading, figures.wait() / steps, figures.total / steps)
    print(f"  critical path: {loading:.3f} ms of input in a step of {figures.total / steps:.3f} ms")


def check(run):
    figures = window_figures.Figures(window_figures.window_file(run))
    window_figures.check_kind(run.name, figures)
    (window,) = (run / "trace").iterdir()
    analysis = TraceAnalysis(trace_dir=str(window), include_last_profiler_step=True)
    compare(analysis, figures)
    newest = (run / "trace.json").read_bytes()
    assert newest == (window / "rank-0.json").read_bytes(), "trace.json is another window"
    print(f"{run.name}: {figures.total / len(figures.steps):.3f} ms a step, {figures.input_share():.1%} input")
    if figures.has_device:
        compare_device(analysis, figures)


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
