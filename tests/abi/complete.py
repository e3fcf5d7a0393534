#!/usr/bin/env python3
"""Prints structs, fields, constants and ids of interfaces that plugin_api's headers have and no pin covers.

usage: complete.py INCLUDE_FOLDER PINS...
"""

import pathlib
import re
import sys

# These need no pin: their value counts what is pinned, or they are only for the preprocessor.
FREE = {"SLUICE_ABI_MINOR", "SLUICE_EXPORT", "SLUICE_NOEXCEPT", "SLUICE_EXTERN_C_BEGIN", "SLUICE_EXTERN_C_END",
        "SLUICE_ARCH", "SLUICE_MANIFEST_BEGIN_"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def at_top(body, separator):
    """Splits at `separator` where no bracket is open."""
    parts, depth, part = [], 0, ""
    for c in body:
        depth += (c in "({") - (c in ")}")
        if c == separator and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [part for part in [*parts, part.strip()] if part]


def fields(body):
    for member in at_top(" ".join(body.split()), ";"):
        function = re.match(r"[^()]*\(\*(\w+)\)\s*\(", member)
        union = re.match(r"union \{(.*)\} (\w+)$", member)
        if function:
            yield function[1]
        elif union:
            yield from (f"{union[2]}.{name}" for name in fields(union[1]))
        else:
            yield re.match(r".*?(\w+)(\[\w+\])?$", member)[1]


def wanted(text):
    """Yields the beginnings of the pins that a header needs."""
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, re.DOTALL):
        yield f"SLUICE_PIN_SIZE({name},"
        yield from (f"SLUICE_PIN_FIELD({name}, {field}," for field in fields(body))
    for body in re.findall(r"\benum \{(.*?)\}", text, re.DOTALL):
        for constant in body.split(","):
            yield f"SLUICE_PIN_VALUE({constant.split('=')[0].strip()},"
    for name, value in re.findall(r"^#define (SLUICE_\w+) +(.+)$", text, re.MULTILINE):
        if name not in FREE:
            yield f"SLUICE_PIN_{'TEXT' if value.startswith(chr(34)) else 'VALUE'}({name},"


def main():
    folder, pins = pathlib.Path(sys.argv[1]), "".join(pathlib.Path(file).read_text() for file in sys.argv[2:])
    needed = [(header, pin) for header in sorted(folder.rglob("*.h")) for pin in wanted(without_comments(header.read_text()))]
    missing = [f"{header.relative_to(folder)}: {pin} ...)" for header, pin in needed if pin not in pins]
    print(*missing, f"{len(needed) - len(missing)} of {len(needed)} pinned", sep="\n")
    sys.exit(1 if missing or not needed else 0)


if __name__ == "__main__":
    main()
