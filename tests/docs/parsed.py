"""Parses the commands that are not run: presets, scripts, commands and options that a page names must exist."""

import functools
import json
import re
import shlex
import subprocess

PLACEHOLDER = re.compile(r"^[A-Z][A-Z_.:|/*-]*$")
PARSED = ("cmake", "ctest", "cpack", "sudo", "git", "mpirun", "srun", "tests/", ".ci/", "alias", "build/")


def commands_of(block):
    """Returns the commands of a shell block: lines, joined if a quote, backslash or here-document continues them."""
    found, pending, end = [], "", None
    for line in block.split("\n"):
        pending += line + "\n"
        if end is None and (here := re.search(r"<<'?(\w+)'?", line)):
            end = here[1]
        elif end is not None:
            if line == end:
                end = None
        if end is None and not line.endswith("\\"):
            try:
                words = shlex.split(pending, comments=True)
            except ValueError:  # an open quote
                continue
            if words:
                found.append(pending)
            pending = ""
    return found


def parts_of(command):
    """Returns the commands that && joins."""
    if "<<" in command:
        return [command]
    return [part for part in re.split(r"&&", command) if shlex.split(part, comments=True)]


def is_run(part):
    """True if the command can be run here. CMake may build a plugin, but not this project again."""
    words = shlex.split(part, comments=True)
    if words[0] == "cmake":
        return "-S" in words or ("--build" in words and "--preset" not in words)
    return not words[0].startswith(PARSED) or re.search(r"/sluice/host$", words[0]) is not None


@functools.lru_cache(maxsize=None)
def help_of(host, command):
    done = subprocess.run([host, command, "--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def options_of(host, command):
    text = help_of(host, command) or ""
    return set(re.findall(r"--[a-z][a-z0-9-]*", text)) | set(re.findall(r"(?<![\w-])-[a-z](?= )", text)) | {"--help"}


@functools.lru_cache(maxsize=None)
def all_options(host, source):
    """Returns the options of all commands, and of the scripts that pages name."""
    listed = subprocess.run([host, "--help"], capture_output=True, text=True, check=True).stdout
    found = {"--help", "--version", "--mpi"}  # the last is srun's
    for command in re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE):
        found |= options_of(host, command) if command != "complete" else set()
    for script in (*(source / "tests" / "bench").glob("*"), *(source / "tests" / "network").glob("*")):
        if script.is_file():
            found |= set(re.findall(r"--[a-z][a-z-]*", script.read_text()))
    return found


def host_problems(words, host):
    """Yields problems of a call of the host; `words` follow the program's name."""
    words = [word for word in words if not PLACEHOLDER.match(word)]
    command = words[0] if words and not words[0].startswith("-") else "train"
    if words in (["--help"], ["--version"], []):
        return
    if help_of(host, command) is None:
        yield f"there is no command '{command}'"
        return
    known = options_of(host, command)
    if command == "launch":
        known |= options_of(host, "train") | options_of(host, "resume")
    for word in words:
        option = word.split("=", 1)[0]
        if re.match(r"^--?[a-z]", word) and option not in known:
            yield f"'{command}' has no option {option}"


def preset_problems(words, source):
    presets = json.loads((source / "CMakePresets.json").read_text())
    kind = {"ctest": "testPresets", "cpack": "packagePresets"}.get(words[0], "workflowPresets" if "--workflow" in words else
                                                                   "buildPresets" if "--build" in words else "configurePresets")
    if "--preset" in words:
        name = words[words.index("--preset") + 1]
        if name not in [preset["name"] for preset in presets[kind] if not preset.get("hidden")]:
            yield f"there is no preset '{name}' among {kind}"


def script_problems(words, source):
    script = source / words[0]
    if not script.exists():
        yield f"there is no {words[0]}"
        return
    text = "".join(file.read_text() for file in (script, *script.parent.glob("*.py")) if file.is_file())
    for word in words[1:]:
        if word.startswith("--") and not PLACEHOLDER.match(word) and word.split("=")[0] not in text:
            yield f"{words[0]} does not know {word}"


def problems(command, source, host):
    """Yields problems of one command line, whose parts may be joined by &&, a pipe or a semicolon."""
    for part in re.split(r"&&| \| |;", command):
        words = shlex.split(part, comments=True)
        while words and re.match(r"^\w+=", words[0]):
            words = words[1:]
        if not words:
            continue
        program = words[0]
        if re.search(r"(^|/)(host|sluice)$", program):
            yield from host_problems(words[1:], host)
        elif program in ("mpirun", "srun"):
            place = next((i for i, word in enumerate(words) if re.search(r"(^|/)(host|sluice)$", word)), None)
            if place is None:
                yield f"'{part.strip()}' starts no program of ours"
            else:
                yield from host_problems(words[place + 1:], host)
        elif program in ("cmake", "ctest", "cpack"):
            yield from preset_problems(words, source)
        elif program.startswith(("tests/", ".ci/")):
            yield from script_problems(words, source)
        elif program not in ("sudo", "git", "alias"):
            yield f"nothing is known of '{program}'"
