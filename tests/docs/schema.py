"""The schema of pipeline files, which `host schema` prints: it tests values, and lists all keys and components."""

import functools
import json
import re
import subprocess
import tomllib

# Plugins provide these names only if they are built with a CUDA toolkit.
OPTIONAL_NAMES = ("cuda", "cudnn")


class Schema:
    def __init__(self, host):
        self.whole = json.loads(subprocess.run([host, "schema"], capture_output=True, text=True, check=True).stdout)

    def resolve(self, node):
        while "$ref" in node:
            node = self.whole["definitions"][node["$ref"].rsplit("/", 1)[1]]
        return node

    def alternatives(self, node):
        node = self.resolve(node)
        for part in node.get("anyOf", []):
            yield from self.alternatives(part)
        if "anyOf" not in node or "properties" in node:
            yield node

    def children(self, node, key):
        for one in self.alternatives(node):
            if key in one.get("properties", {}):
                yield one["properties"][key]
            elif isinstance(one.get("additionalProperties"), dict):
                yield one["additionalProperties"]

    def fits(self, node, value):
        return any(self.fits_one(one, value) for one in self.alternatives(node))

    def fits_one(self, node, value):
        if "const" in node:
            return value == node["const"]
        if "enum" in node:
            names_gpu = value in OPTIONAL_NAMES and {"cpu", "reference"} & set(map(str, node["enum"]))
            return value in node["enum"] or bool(names_gpu)
        kind = node.get("type")
        if kind == "boolean":
            return isinstance(value, bool)
        if kind in ("integer", "number"):
            is_number = isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
            return is_number and node.get("minimum", value) <= value <= node.get("maximum", value)
        if kind == "string":
            return isinstance(value, str) and re.search(node.get("pattern", ""), value) is not None
        if kind == "array":
            return isinstance(value, list) and all(self.fits(node.get("items", {}), item) for item in value)
        if kind == "object":
            return isinstance(value, dict) and all(any(self.fits(child, item) for child in self.children(node, key))
                                                   for key, item in value.items())
        return True

    def problem(self, assignment):
        """Returns an error for "table.key = value", or None. The table's component may be any that has the key."""
        path, text = assignment.split(" = ", 1)
        try:
            value = tomllib.loads(f"v = {text}")["v"]
        except tomllib.TOMLDecodeError:
            return None if re.match(r"^[A-Z]+$", text) else f"`{assignment}` is not TOML"
        nodes = [self.whole]
        for key in path.split("."):
            nodes = [child for node in nodes for child in self.children(node, key)]
        if "." not in path:
            nodes += self.named(self.whole, path)
        if not nodes:
            return f"there is no key {path}"
        return None if any(self.fits(node, value) for node in nodes) else f"{path} cannot be {text}"

    def named(self, node, key):
        """Yields all keys of that name, of any table or component."""
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict) and key in node["properties"]:
                yield node["properties"][key]
            for below in node.values():
                yield from self.named(below, key)
        elif isinstance(node, list):
            for below in node:
                yield from self.named(below, key)

    @functools.cached_property
    def core_keys(self):
        """Returns the paths of the host's own keys, and whether each has a description. Options of components are left
        out: only keys that all variants have are the host's."""
        found = {}

        def walk(node, path):
            parts = list(self.alternatives(node))
            variants = [part for part in parts if "properties" in part]
            if not variants:
                if path:
                    found[path] = any("description" in part for part in [node, *parts])
                return
            common = set.intersection(*(set(part["properties"]) for part in variants))
            for key in common:
                child = next(part["properties"][key] for part in variants)
                walk(child, f"{path}.{key}" if path else key)

        walk(self.whole, "")
        return dict(sorted(found.items()))

    @functools.cached_property
    def component_names(self):
        names = set()
        for definition in self.whole["definitions"].values():
            for variant in definition.get("anyOf", []):
                for by in ("use", "type"):
                    name = variant.get("properties", {}).get(by, {}).get("const")
                    if name is not None:
                        names.add(name)
        return sorted(names)
