#!/usr/bin/env python3
"""Prints a Rust program that compiles and runs only if the module `sluice` of plugins in Rust agrees with the pins.

usage: rust_layout.py PINS... FOLDER_OF_MODULE > PROGRAM

The program compares each struct that the pins and the module have: all its fields, their offsets and types, and its
size, which is the least one of a struct with struct_size. It also compares the value of each constant. A name sluice_... or SLUICE_... in the module that has no pin is an
error.
"""

import pathlib
import re
import sys

SIMPLE = {"char": "c_char", "void": "c_void", "double": "f64", "float": "f32", "int32_t": "i32", "int64_t": "i64",
          "uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64"}
# These functions may be NULL.
OPTIONAL = {("sluice_plugin", "open"), ("sluice_plugin", "close"), ("sluice_layer", "finalize")}
KEYWORDS = {"as", "impl", "type"}


def split(text):
    """Splits `text` at the commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def pointer(base, stars):
    """Builds a pointer type from inside out. Of "const char *const *", `base` has "const char", `stars` the rest."""
    is_const = "const" in base.split()
    rust = rust_type(base.replace("const", "").replace("struct", ""))
    for star in re.findall(r"\*\s*(const)?", stars):
        rust = f"*{'const' if is_const else 'mut'} {rust}"
        is_const = star == "const"
    return rust


def rust_type(c):
    c = " ".join(c.replace("SLUICE_NOEXCEPT", "").split())
    if function := re.match(r"(.*?)\(\*\)\((.*)\)$", c):
        result = function[1].strip()
        arguments = ", ".join(rust_type(argument) for argument in split(function[2]) if argument != "void")
        return f'unsafe extern "C" fn({arguments})' + ("" if result == "void" else f" -> {rust_type(result)}")
    if array := re.match(r"(.*)\[(\w+)\]$", c):
        return f"[{rust_type(array[1])}; {array[2]} as usize]"
    if pointed := re.match(r"([^*]*)(\*.*)$", c):
        return pointer(pointed[1], pointed[2])
    return SIMPLE.get(c, c)


def pins(text):
    """Yields the kind and the arguments of each pin."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for pin in re.finditer(r"SLUICE_PIN_(\w+)\(", text):
        depth, at = 1, pin.end()
        while depth:
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        yield pin[1], split(" ".join(text[pin.end():at - 1].split()))


def rust_name(struct, field):
    path = [name + "_" if name in KEYWORDS else name for name in field.split(".")]
    return ".".join(path)


def lines_of(pin, arguments, known, growing):
    if pin == "SIZE" and arguments[0] in growing:
        yield f"assert!(size_of::<{arguments[0]}>() >= {arguments[1]}, \"{arguments[0]}\");"
    elif pin == "SIZE" and arguments[0] in known:
        yield f"same(\"{arguments[0]}\", size_of::<{arguments[0]}>(), {arguments[1]});"
    elif pin in ("FIELD", "OFFSET") and arguments[0] in known:
        struct, field = arguments[0], rust_name(*arguments[:2])
        yield f"place!({struct}, {field}, {arguments[2]});"
        if pin == "FIELD":
            kind = rust_type(", ".join(arguments[3:]))
            kind = f"Option<{kind}>" if (struct, field) in OPTIONAL else kind
            yield f"let _: fn(&{struct}) -> &{kind} = |it| unsafe {{ &it.{field} }};"
    elif pin == "VALUE" and arguments[0] in known:
        yield f"same(\"{arguments[0]}\", {arguments[0]} as usize, {arguments[1]});"
    elif pin == "TEXT" and arguments[0] in known:
        yield f"same(\"{arguments[0]}\", {arguments[0]}, {arguments[1]});"


PROGRAM = """
#![allow(dead_code, unused_macros, unused_imports, unused_unsafe)]
#[path = "{module}"]
mod sluice;
use sluice::*;
use std::fmt::Debug;
use std::mem::{{size_of, MaybeUninit}};
use std::os::raw::{{c_char, c_void}};

fn same<T: PartialEq + Debug>(name: &str, found: T, right: T) {{
    assert_eq!(found, right, "{{name}}");
}}

macro_rules! place {{
    ($type:ty, $($field:ident).+, $right:expr) => {{{{
        let it = MaybeUninit::<$type>::uninit();
        let field = unsafe {{ std::ptr::addr_of!((*it.as_ptr()).$($field).+) }};
        same(stringify!($type: $($field).+), field as usize - it.as_ptr() as usize, $right);
    }}}};
}}

fn main() {{
    {lines}
    // The tests of sluice_philox in tests/unit have the same values.
    same("philox", philox(&sluice_random_key::default(), 0), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    let key = sluice_random_key {{ seed: 0x299f31d0a4093822, stream: 0, counter: 0x0370734413198a2e }};
    same("philox", philox(&key, 0x85a308d3243f6a88), [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]);
    println!("{count} pins");
}}
"""


def main():
    module = pathlib.Path(sys.argv[-1]).resolve()
    text = "".join(file.read_text() for file in sorted(module.glob("*.rs")))
    known = set(re.findall(r"^pub (?:struct|union|type|const) (sluice_\w+|SLUICE_\w+)", text, re.MULTILINE))
    all_pins = [pin for file in sys.argv[1:-1] for pin in pins(pathlib.Path(file).read_text())]
    strangers = known - {arguments[0] for _, arguments in all_pins} - {"SLUICE_ABI_MINOR", "sluice_value_as"}
    if strangers or not known:
        sys.exit(f"{module}: no pin knows {', '.join(sorted(strangers)) or 'anything of it'}")
    growing = known & {arguments[0] for pin, arguments in all_pins if pin == "FIELD" and arguments[1] == "struct_size"}
    lines = [list(lines_of(pin, arguments, known, growing)) for pin, arguments in all_pins]
    print(PROGRAM.format(module=module / "mod.rs", lines="\n    ".join(sum(lines, [])), count=len(list(filter(None, lines)))))


if __name__ == "__main__":
    main()
