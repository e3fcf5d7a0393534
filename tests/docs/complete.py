#!/usr/bin/env python3
"""The reference pages name all that there is: pipeline.md each key of the host and each component, data.md each source and
transform, commands.md each command and each of its options.

usage: complete.py HOST SOURCE_FOLDER
"""

import pathlib
import re
import subprocess
import sys

import parsed
import schema

COMMON = {"--set", "--plugin", "--plugin-checks", "--quiet", "-q", "--help", "-h"}


def sections(text, level):
    """Title to text of the headings of that level."""
    parts = re.split(rf"^{'#' * level} (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def names(text, what):
    return re.search(rf"`[^`]*(?<![\w.-]){re.escape(what)}(?![\w-])[^`]*`", text) is not None


def pipeline_problems(pages, keys):
    text = (pages / "pipeline.md").read_text()
    for path in keys.core_keys:
        last = path.rsplit(".", 1)[-1]
        table = path.split(".")[0]
        section = "".join(body for title, body in sections(text, 2).items() if f"[{table}" in title)
        if not names(text, path) and not names(section, last) and last != "include":
            yield f"pipeline.md does not name {path}"
    everything = text + (pages / "data.md").read_text()
    yield from (f"neither pipeline.md nor data.md names '{name}'" for name in keys.component_names if not names(everything, name))


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
            yield from (f"commands.md, {command}: does not name {option}" for option in sorted(options)
                        if not names(found[command], option))


def main():
    host, source = sys.argv[1], pathlib.Path(sys.argv[2])
    pages = source / "host" / "docs"
    wrong = [*pipeline_problems(pages, schema.Schema(host)), *command_problems(pages, host)]
    print(*wrong, f"{len(wrong)} missing", sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
