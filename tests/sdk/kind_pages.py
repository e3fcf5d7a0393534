#!/usr/bin/env python3
"""Compares the pages on kinds of components with the headers, templates and examples.

Each function of a table needs a row with its thread rule. Ids of interfaces and names that begin with SLUICE_ must
exist, also in the SDK. Code must stand unchanged in the kind's template, or in an example that the page names.

usage: kind_pages.py SDK_FOLDER INCLUDE_FOLDER
"""

import pathlib
import re
import sys


def functions(header):
    """Returns the names of the functions in the header's table, with their thread rules."""
    table = re.search(rf"typedef struct sluice_{header.stem} \{{(.*?)\n\}} sluice_{header.stem};", header.read_text(), re.DOTALL)
    found = {}
    for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\s*[^/;]*?\(\*(\w+)\)\(", table[1], re.DOTALL):
        found[name] = re.findall(r"\[(?:any|serial|enqueue)\]", comment)
    return found


def code_problems(page, sdk):
    """Yields problems of the code blocks. `sluice new` has a template of each kind but devices."""
    text = page.read_text()
    template = sdk / "template" / page.stem / "cpp" / "example.cpp"
    sources = [template] if template.exists() else []
    for name in re.findall(r"`examples/(\w+)`", text):
        sources += (sdk / "examples" / name).glob("*.cpp")
    blocks = re.findall(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if sources and not blocks:
        yield "shows no code"
    for block in blocks:
        if not any(block in source.read_text() for source in sources):
            yield f"shows code that is in none of {', '.join(map(str, sources))}:\n{block}"


def problems(page, include, ids):
    text = page.read_text()
    header = include / "sluice" / "kind" / f"{page.stem}.h"
    if f"`sluice/kind/{header.name}`" not in text:
        yield f"does not name sluice/kind/{header.name}"
    rows = {row[0]: row[2] for row in re.findall(r"^\| `([a-z_]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text, re.MULTILINE)}
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
    sdk, include = map(pathlib.Path, sys.argv[1:])
    headers = "".join(header.read_text() for header in include.rglob("*.h"))
    ids = set(re.findall(r'"(sluice\.\w+/\d+)"', headers))
    helpers = "".join(header.read_text() for header in (sdk / "include").rglob("*.h"))
    names = set(re.findall(r"\bSLUICE_\w+", headers + helpers))
    found = sorted((sdk / "docs" / "kinds").glob("*.md"))
    wrong = [f"{page.name}: {problem}" for page in found for problem in (*problems(page, include, ids), *code_problems(page, sdk))]
    for page in found:
        unknown = set(re.findall(r"\bSLUICE_\w+", page.read_text())) - names
        wrong += [f"{page.name}: there is no {name}" for name in sorted(unknown)]
    print(*wrong, f"{len(found)} pages", sep="\n")
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
