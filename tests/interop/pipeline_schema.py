#!/usr/bin/env python3
"""Tests that `host schema` and the host accept the same pipeline files, and refuse the same wrong values.

usage: pipeline_schema.py HOST PIPELINE...
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

# Keys, and values that are wrong there.
WRONG = [
    ("data.batch", 0),
    ("data.batch", "8"),
    ("data.bacth", 8),
    ("data.workers", "many"),
    ("data.memory", 5),
    ("data.train.source.use", "dead_leafs"),
    ("data.train.order", {"use": "sorted"}),
    ("data.train.map", [{"use": "random_crop", "size": [0, 8]}]),
    ("data.train.map", [{"use": "random_crop", "size": 8}]),
    ("data.train.map", ["random_crop"]),
    ("data.train.map", [{"use": "random_crop", "sizes": [8, 8]}]),
    ("data.train.map", [{"use": "cache", "in": "attic"}]),
    ("model.layers", []),
    ("model.layers", [{"type": "conv2d", "filters": 0, "kernel": 3}]),
    ("model.layers", [{"type": "dense"}]),
    ("model.layers", [{"type": "conv3d"}]),
    ("model.layers", [{"filters": 3}]),
    ("loss.use", "l3"),
    ("optimizer.beta1", 2.0),
    ("optimizer.rate", 0),
    ("optimizer.clip_norm", -1.0),
    ("schedule.use", "sinus"),
    ("schedule.warmup", 1.5),
    ("precision.use", "float8"),
    ("strategy.wire", "int8"),
    ("train.epochs", 1.5),
    ("train.recompute", True),
    ("evaluate.every", "1 week"),
    ("checkpoint.keep", 0),
    ("strategy.use", "mirored"),
    ("version", 2),
    ("versions", 1),
]
RIGHT = [
    ("data.workers", "auto"),
    ("data.memory", "2 GiB"),
    ("data.train.source", [{"use": "dead_leaves", "count": 8, "size": [160, 160], "weight": 1.0}]),
    ("data.train.order", {"use": "blocks", "block": 4}),
    ("data.train.map", [{"use": "motion_blur", "from": "sharp", "to": "blurred", "length": 9, "angle": 0},
                        {"use": "cache", "in": "disk", "budget": "1 GiB"}]),
    ("observe.use", "progress"),
    ("optimizer", {"use": "adamw", "rate": 0.1, "weight_decay": 0.1, "clip_norm": 1.0}),
    ("schedule", {"use": "step", "every_epochs": 2, "warmup": "5 %"}),
    ("precision", {"use": "auto", "layers": {"residual*": "float32"}}),
    ("strategy", {"use": "mirrored", "replicas": 2, "bucket": "auto"}),
    ("train.steps", 3),
    ("evaluate.every", "200 steps"),
]


def changed(pipeline, path, value):
    pipeline = copy.deepcopy(pipeline)
    table = pipeline
    *folders, key = path.split(".")
    for folder in folders:
        table = table.setdefault(folder, {})
    table[key] = value
    return pipeline


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def takes(host, pipeline, folder):
    file = pathlib.Path(folder) / "changed.toml"
    file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in pipeline.items()))
    done = subprocess.run([host, "plan", file], capture_output=True, text=True, check=False)
    return done.returncode != 2, done.stderr  # 2: the configuration is wrong


def main():
    host, *files = sys.argv[1:]
    schema = json.loads(subprocess.run([host, "schema"], capture_output=True, check=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = []
    for file in files:
        found = jsonschema.exceptions.best_match(validator.iter_errors(tomllib.loads(pathlib.Path(file).read_text())))
        if found:
            failures.append(f"{file} is refused: {found.json_path}: {found.message[:300]}")
    base = tomllib.loads(pathlib.Path(files[0]).read_text())
    with tempfile.TemporaryDirectory() as folder:
        for right, cases in [(True, RIGHT), (False, WRONG)]:
            for path, value in cases:
                pipeline = changed(base, path, value)
                told, error = takes(host, pipeline, folder)
                if validator.is_valid(pipeline) != right:
                    failures.append(f"{path} = {value}: the schema {'refuses' if right else 'takes'} it")
                if told != right:
                    failures.append(f"{path} = {value}: the host {'refuses' if right else 'takes'} it: {error[:300]}")
    print(*failures, f"{len(files)} files, {len(RIGHT)} changes that are right, {len(WRONG)} that are wrong", sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
