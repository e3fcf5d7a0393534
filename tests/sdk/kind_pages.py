#!/usr/bin/env python3
"""Compares the pages on kinds of components with the headers: each function of a table has its row, with its thread rule,
in the order of the table or of its life; ids of interfaces exist.

usage: kind_pages.py INCLUDE_FOLDER PAGES_FOLDER
"""

import pathlib
import re
import sys


def functions(header):
    """Names of the functions of the table that the header is about, with their thread rules."""
    table = re.search(rf"typedef struct sluice_{header.stem} \{{(.*?)\n\}} sluice_{header.stem};", header.read_text(), re.DOTALL)
    found = {}
    for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\s*[^/;]*?\(\*(\w+)\)\(", table[1], re.DOTALL):
        found[name] = re.findall(r"\[(?:any|serial|enqueue)\]", comment)
    return found


def problems(page, include, ids):
    text = page.read_text()
    header = include / "sluice" / "kind" / f"{page.stem}.h"
    if f"`sluice/kind/{header.name}`" not in text:
        yield f"does not name sluice/kind/{header.name}"
    rows = {row[0]: row[2] for row in re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text, re.MULTILINE)}
    expected = functions(header)
    if not expected:
        yield f"there is no function in {header}"
    yield from (f"has no row for {name}" for name in expected.keys() - rows.keys())
    yield from (f"has a row for {name}, which the table has not" for name in rows.keys() - expected.keys())
    for name in expected.keys() & rows.keys():
        if re.findall(r"\[\w+\]", rows[name]) != expected[name][:1] and re.findall(r"\[\w+\]", rows[name]) != expected[name]:
            yield f"{name} is {rows[name]}, and {expected[name]} in the header"
    yield from (f"there is no interface {name}" for name in set(re.findall(r"sluice\.\w+/\d", text)) - ids)


def main():
    include, pages = map(pathlib.Path, sys.argv[1:])
    ids = set(re.findall(r'"(sluice\.\w+/\d+)"', "".join(header.read_text() for header in include.rglob("*.h"))))
    found = sorted(pages.glob("*.md"))
    wrong = [f"{page.name}: {problem}" for page in found for problem in problems(page, include, ids)]
    print(*wrong, f"{len(found)} pages", sep="\n")
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
