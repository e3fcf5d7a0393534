"""W&B's tools read the file of the observer `wandb`: the figures are those of the run.

    wandb_files.py HOST

Exit code 77: a package that this needs is missing.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

try:
    import wandb
except ImportError as missing:
    print(f"skipped: {missing} (PyPI: wandb)")
    sys.exit(77)

import boards_run


def tool(*arguments):
    """Returns the output of `wandb`, which must succeed."""
    environment = {**os.environ, "WANDB_ERROR_REPORTING": "false", "WANDB_MODE": "offline"}
    command = [sys.executable, "-m", "wandb", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout + done.stderr


def check_records(run, file):
    records = [json.loads(line) for line in tool("leet", "inspect", "--json", file).splitlines()]
    assert [record["num"] for record in records] == list(range(1, len(records) + 1)), "numbers of records are missing"
    kinds = [record["type"] for record in records]
    assert kinds[:2] == ["header", "run"] and kinds[-1] == "exit" and kinds.count("exit") == 1, kinds
    rows = [record["history"]["item"] for record in records if record["type"] == "history"]
    steps = [row["_step"] for row in rows]
    assert steps == list(range(1, boards_run.STEPS + 1)), f"the steps are {steps}"
    for name, expected in boards_run.curves(run).items():
        boards_run.check_close(name, {row["_step"]: float(row[name]) for row in rows if name in row}, expected)
    assert all(a["_runtime"] <= b["_runtime"] for a, b in zip(rows, rows[1:])), "the time of training goes back"
    stats = [record["stats"] for record in records if record["type"] == "stats"]
    assert stats or len(boards_run.usage(run)) < 2, "there are no system metrics"


def check_summary(run, path):
    summary = json.loads(tool("leet", "inspect", "--summary", "--json", path))
    assert summary["state"] == "finished" and summary["exit_code"] == 0, summary["state"]
    assert summary["step"] == boards_run.STEPS and summary["name"] == "run", summary
    for name, points in boards_run.curves(run).items():
        found, right = float(summary["summary"][name]), points[max(points)]
        assert math.isclose(found, right, rel_tol=0.01, abs_tol=1e-9), f"{name}: {found}, expected is {right}"
    pipeline = tomllib.loads((run / "resolved.toml").read_text())
    for key in ("data", "optimizer", "train"):
        assert summary["config"][key] == pipeline[key], f"{key}: {summary['config'][key]}, not {pipeline[key]}"


def check_cut_off(file):
    """A run that is killed leaves a file that ends anywhere."""
    content = file.read_bytes()
    for size in range(0, len(content), max(1, len(content) // 7)):
        file.write_bytes(content[:size])
        summary = json.loads(tool("leet", "inspect", "--summary", "--json", file))
        assert (summary["step"] or 0) <= boards_run.STEPS, summary
    file.write_bytes(content[:-3])
    assert json.loads(tool("leet", "inspect", "--summary", "--json", file))["step"] == boards_run.STEPS
    file.write_bytes(content)


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        run = boards_run.train(host, pathlib.Path(name))
        (file,) = run.glob("wandb/offline-run-*/run-*.wandb")
        check_records(run, file)
        check_summary(run, file)
        check_summary(run, run / "wandb")
        assert file.name in tool("sync", "--dry-run", file.parent), "`wandb sync` does not find the run"
        check_cut_off(file)
    print(f"the same figures (wandb {wandb.__version__})")


main()
