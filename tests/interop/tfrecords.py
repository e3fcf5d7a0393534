"""TensorFlow writes TFRecord files that `host prepare` reads and writes again; TensorFlow reads these and compares.

    tfrecords.py HOST

Exit code 77: a package that this needs is missing.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import os

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
except ImportError as missing:
    print(f"skipped: {missing} (tests/bench/compare installs TensorFlow; run this with the Python of its folder)")
    sys.exit(77)

SHARDS = 3
PICTURES = 10  # in each shard


def picture(number):
    pixels = tf.random.stateless_uniform([40 + number, 50, 3], [number, 7], maxval=256, dtype=tf.int32)
    return tf.io.encode_jpeg(tf.cast(pixels, tf.uint8)).numpy()


def write_shards(folder, compression):
    """Returns (file, label) of each record, in the order of the shards."""
    folder.mkdir()
    expected = []
    for shard in range(SHARDS):
        suffix = ".gz" if compression == "GZIP" else ""
        name = folder / f"train-{shard:05}-of-{SHARDS:05}.tfrecord{suffix}"
        with tf.io.TFRecordWriter(str(name), options=compression) as writer:
            for i in range(PICTURES):
                number = shard * PICTURES + i
                expected.append((picture(number), number + 1))
                features = {
                    "image/encoded": tf.train.Feature(bytes_list=tf.train.BytesList(value=[expected[-1][0]])),
                    "image/class/label": tf.train.Feature(int64_list=tf.train.Int64List(value=[number + 1])),
                    "image/object/bbox/xmin": tf.train.Feature(float_list=tf.train.FloatList(value=[0.25, 0.5])),
                    "image/text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a", b"b"])),
                    "image/nothing": tf.train.Feature(),
                }
                example = tf.train.Example(features=tf.train.Features(feature=features))
                writer.write(example.SerializeToString())
    return expected


def prepare(host, pipeline, source, transforms, out, more):
    """Writes records of what the source and the transforms make."""
    pipeline.write_text(
        f"""version = 1
include = "deblur.toml"
[data.train]
source = {source}
map = [{", ".join(transforms)}]
"""
    )
    command = [host, "prepare", pipeline, "--prefix", str(len(transforms)), "--out", out, *more]
    subprocess.run([str(word) for word in command], check=True)


def read_back(folder, compression, features):
    files = sorted(str(file) for file in folder.glob("*.tfrecord*"))
    for record in tf.data.TFRecordDataset(files, compression_type=compression):
        yield tf.io.parse_single_example(record, features)


def check_encoded(host, folder, compression):
    given = folder / f"given{compression}"
    expected = write_shards(given, compression)
    source = f'{{ use = "records", path = "{given}", first_class = 1 }}'
    for written in ("", "GZIP"):
        out = folder / f"out{compression}-{written}"
        more = ["--format", "tfrecord", "--shard-size", "10 kB"] + (["--gzip"] if written else [])
        prepare(host, folder / "p.toml", source, [], out, more)
        features = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}
        found = [(r["image"].numpy(), int(r["label"])) for r in read_back(out, written, features)]
        assert found == [(file, label - 1) for file, label in expected], f"{out}: other records than the given ones"
        assert len(list(out.glob("*.tfrecord*"))) > 1, f"{out}: there is only one shard"


def check_pixels(host, folder):
    """Checks our own records of decoded pictures after `host prepare` has written them as TFRecord files."""
    given = folder / "pixels"
    expected = write_shards(given, "")
    own = folder / "own"
    prepare(host, folder / "p.toml", f'{{ use = "records", path = "{given}" }}', ['{ use = "decode" }'], own, [])
    out = folder / "pixels-out"
    prepare(host, folder / "p.toml", f'{{ use = "records", path = "{own}" }}', [], out, ["--format", "tfrecord"])
    features = {name: tf.io.FixedLenFeature([], tf.int64) for name in ("height", "width", "channels")}
    features = {f"image/{name}": kind for name, kind in features.items()}
    features["image"] = tf.io.FixedLenFeature([], tf.string)
    pictures = 0
    for (file, _), record in zip(expected, read_back(out, "", features), strict=True):
        shape = [int(record[f"image/{name}"]) for name in ("height", "width", "channels")]
        found = tf.reshape(tf.io.decode_raw(record["image"], tf.uint8), shape)
        right = tf.io.decode_jpeg(file, dct_method="INTEGER_ACCURATE")
        assert bool(tf.reduce_all(found == right)), f"picture {pictures} differs"
        pictures += 1
    assert pictures == SHARDS * PICTURES


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pipelines = host.parent / "../../share/sluice/pipelines"
        (folder / "deblur.toml").write_text((pipelines / "deblur.toml").read_text())
        check_encoded(host, folder, "")
        check_encoded(host, folder, "GZIP")
        check_pixels(host, folder)
    print("the same records")


main()
