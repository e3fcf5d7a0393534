#!/usr/bin/env python3
"""Checks that the reference pages are complete: pipeline.md names each key of the host and each component, data.md each
source and transform, and commands.md each command with its options.

usage: complete.py HOST SOURCE_FOLDER
"""

import pathlib
import re
import subprocess
import sys

import parsed
import schema

# `use` in arrays of components is explained once for all. An option that all optimizers have is not a key of the host.
NOT_OWN = {"data.train.map.use", "data.validation.map.use", "device.kernels.use", "device.use.use", "metrics.use.use",
           "observe.use.use", "optimizer.weight_decay"}
COMMON = {"--set", "--plugin", "--plugin-checks", "--quiet", "-q", "--help", "-h"}


def sections(text, level):
    """Returns the text under each heading of that level, by its title."""
    parts = re.split(rf"^{'#' * level} (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def first_cells(text):
    """Returns the words of the code spans in the first cell of each row of all tables."""
    words = set()
    for cell in re.findall(r"^\|([^|]*)\|", text, re.MULTILINE):
        for span in re.findall(r"`([^`]+)`", cell):
            words |= set(re.split(r"[ =]", span))
    return words


def pipeline_problems(pages, keys):
    text = (pages / "pipeline.md").read_text()
    rows = first_cells(text)
    for path in keys.core_keys:
        if path not in rows and path not in NOT_OWN:
            yield f"no table of pipeline.md has a row for {path}"
    yield from (f"the schema does not describe {path}" for path, is_described in keys.core_keys.items() if not is_described)
    yield from (f"the schema does not describe {name}" for name, node in keys.whole["properties"].items()
                if "description" not in node)
    rows |= first_cells((pages / "data.md").read_text()) | first_cells((pages / "precision.md").read_text())
    yield from (f"no table of pipeline.md or data.md has a row for '{name}'" for name in keys.component_names if name not in rows)


def command_problems(pages, host):
    text = (pages / "commands.md").read_text()
    listed = subprocess.run([host, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) +\S", listed.split("\n\n")[1] if "\n\n" in listed else listed, re.MULTILINE)
    if len(commands) < 10:
        yield f"--help lists {commands} alone"
    found = sections(text, 3)
    for command in commands:
        if command not in found:
            yield f"commands.md has no section '### {command}'"
            continue
        if command != "complete":
            options = parsed.options_of(host, command) - COMMON
            yield from (f"commands.md, {command}: no row for {option}" for option in sorted(options - first_cells(found[command])))


def main():
    host, source = sys.argv[1], pathlib.Path(sys.argv[2])
    pages = source / "host" / "docs"
    wrong = [*pipeline_problems(pages, schema.Schema(host)), *command_problems(pages, host)]
    print(*wrong, f"{len(wrong)} missing", sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
