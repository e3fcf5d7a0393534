#!/usr/bin/env python3
"""Runs or parses all commands and files on a page of the documentation, one page per call:

  * sh blocks run command by command, in order, in one folder with the files of fixture.py. Trainings are cut to two
    steps, measurements to four steps or a fifth of a second. Commands that build this project, install, or need other
    machines are only parsed: their presets, files and options must exist.
  * toml blocks are planned by the host: whole pipelines as they are, others merged over deblur.toml, or over the file
    of a comment `<!-- base: FILE -->` before the block. A first line `# NAME.toml` names the file for later commands.
  * code spans that begin with `host ` or `sluice ` must name commands and options that exist; spans of the form
    `table.key = value` must fit the schema of pipeline files; a span that is an option must be one of some command.
  * links must lead to files and headings that exist.

tests/sdk runs the blocks of pages below sdk/ and plugin_api/, because it has a project for them.

usage: pages.py HOST SOURCE_FOLDER PAGE
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import fixture
import parsed
import schema


class Page:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()

    def blocks(self):
        """Yields (line, language, base, text) of each fenced block."""
        base, language, start, block = None, None, 0, []
        for number, line in enumerate(self.text.split("\n"), 1):
            if language is None and (found := re.match(r"^<!-- base: (\S+) -->$", line)):
                base = found[1]
            elif language is None and (found := re.match(r"^```(\w*)$", line)):
                language, start, block = found[1], number, []
            elif language is not None and line == "```":
                yield start, language, base, "\n".join(block) + "\n"
                base, language = None, None
            elif language is not None:
                block.append(line)

    def prose(self):
        """Yields (line, text) of each paragraph or row outside of blocks."""
        is_code, start, text = False, 0, ""
        for number, line in enumerate(self.text.split("\n") + [""], 1):
            is_fence = line.startswith("```")
            if not (is_code or is_fence or line == "" or line.startswith(("|", "#", "- "))):
                start, text = start or number, f"{text} {line.strip()}"
                continue
            if text:
                yield start, text
            start, text = 0, ""
            if is_fence:
                is_code = not is_code
            elif not is_code:
                start, text = number, line.strip()
                if line.startswith(("|", "#")):
                    yield number, text
                    start, text = 0, ""

    def anchors(self):
        """Returns the anchors that GitHub makes of the headings."""
        headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", self.text, flags=re.DOTALL), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def host_script(folder, host):
    """Creates `host` and `sluice` for the PATH: they start the program and cut trainings to two steps."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    for name in ("host", "sluice"):
        script = bin_folder / name
        script.write_text(f"""#!/bin/sh
case " $* " in
  *" --help "* | *" --steps "* | *train.steps=* | *" complete "*) exec "{host}" "$@" ;;
esac
case $1 in
  -*|train|launch) exec "{host}" "$@" --steps 2 ;;
  *) exec "{host}" "$@" ;;
esac
""")
        script.chmod(0o755)
    return bin_folder


class Checker:
    def __init__(self, host, source, page):
        self.host = host
        self.source = source
        self.page = Page(page)
        self.is_for_authors = any(page.is_relative_to(source / folder) for folder in ("sdk", "plugin_api"))
        self.problems = []
        self.counts = {"commands": 0, "parsed": 0, "pipelines": 0, "spans": 0, "links": 0}

    def fail(self, line, text):
        self.problems.append(f"{self.page.path.name}:{line}: {text}")

    def call(self, arguments, folder, line):
        start = time.monotonic()
        done = subprocess.run(arguments, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=180, errors="replace")
        if (seconds := time.monotonic() - start) > 3:
            print(f"{self.page.path.name}:{line}: {seconds:.1f} s: {arguments[-1].strip()}")
        if done.returncode != 0:
            self.fail(line, f"exit code {done.returncode} of {' '.join(arguments)}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")

    def run_sh(self, line, block, folder):
        for command in parsed.commands_of(block):
            for part in parsed.parts_of(command):
                if parsed.is_run(part):
                    self.counts["commands"] += 1
                    part = part.replace("build/release/lib/sluice/host", "host")
                    part = part.replace("$PWD/build/release", str(self.host.parents[2]))
                    part = re.sub(r"--seconds \d+", "--seconds 0.2", part)
                    part = re.sub(r"\b(bench|diagnose)\b(.*) --steps \d+", r"\1\2 --steps 4", part)
                    self.call(["bash", "-euo", "pipefail", "-c", part], folder, line)
                else:
                    self.counts["parsed"] += 1
                    for problem in parsed.problems(part, self.source, self.host):
                        self.fail(line, problem)

    def plan_toml(self, line, base, block, folder):
        self.counts["pipelines"] += 1
        first = block.split("\n", 1)[0]
        named = re.match(r"^# (\S+\.toml)$", first)
        name = named[1] if named else f"block_{line}.toml"
        whole = re.search(r"^version *=", block, re.MULTILINE) is not None
        head = "" if whole else f'version = 1\ninclude = "{base or "deblur.toml"}"\n'
        (folder / name).write_text(head + block)
        self.call(["host", "plan", name, "--set", "device.measure=false"], folder, line)

    def check_spans(self):
        keys = schema.Schema(self.host)
        for line, text in self.page.prose():
            for span in re.findall(r"`([^`]+)`", text):
                if re.match(r"^(host|sluice) ", span):
                    self.counts["spans"] += 1
                    for problem in parsed.problems(span, self.source, self.host):
                        self.fail(line, problem)
                    for assignment in re.findall(r"--set '?([a-z_.0-9]+=[^ ']+)", span):
                        if (problem := keys.problem(assignment.replace("=", " = ", 1))) is not None:
                            self.fail(line, problem)
                elif re.match(r"^[a-z_.]+ = \S", span) and ("." in span.split(" ")[0] or not self.is_for_authors):
                    self.counts["spans"] += 1
                    if (problem := keys.problem(span)) is not None:
                        self.fail(line, problem)
                elif re.match(r"^--[a-z-]+", span):
                    self.counts["spans"] += 1
                    if span.split("=")[0].split()[0] not in parsed.all_options(self.host, self.source):
                        self.fail(line, f"no command has an option {span}")

    def check_links(self):
        for line, text in self.page.prose():
            for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text):
                if re.match(r"^https?:", target):
                    continue
                self.counts["links"] += 1
                file = self.page.path.parent / target if target else self.page.path
                if not file.exists():
                    self.fail(line, f"there is no {target}")
                elif anchor and anchor not in Page(file).anchors():
                    self.fail(line, f"{file.name} has no heading #{anchor}")

    def check(self):
        with tempfile.TemporaryDirectory(prefix="sluice-pages-") as name:
            folder = pathlib.Path(name)
            bin_folder = host_script(folder, self.host)
            work = folder / "work"
            work.mkdir()
            fixture.make(work, self.host)
            self.environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "HOME": str(folder),
                                "XDG_DATA_HOME": str(folder / "share")}
            for line, language, base, block in () if self.is_for_authors else self.page.blocks():
                if language == "sh":
                    self.run_sh(line, block, work)
                elif language == "toml":
                    self.plan_toml(line, base, block, work)
                elif language not in ("text", "c", "cpp", "cmake"):
                    self.fail(line, f"a block of '{language}' can be neither run nor parsed")
            self.check_spans()
            self.check_links()


def main():
    if sys.version_info < (3, 11):
        print("skipped: tomllib needs Python 3.11")
        sys.exit(77)
    host, source, page = map(pathlib.Path, sys.argv[1:])
    checker = Checker(host.resolve(), source.resolve(), page.resolve())
    checker.check()
    print(*checker.problems, ", ".join(f"{n} {what}" for what, n in checker.counts.items()), sep="\n")
    sys.exit(1 if checker.problems or sum(checker.counts.values()) == 0 else 0)


if __name__ == "__main__":
    main()
