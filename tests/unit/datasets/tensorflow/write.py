"""Writes the TFRecord files next to this script, with TensorFlow: three PNG pictures with labels, plain and with gzip.

The files were made with TensorFlow 2.21. Pixel (y, x, c) of picture n is (31 n + 17 y + 5 x + 101 c) modulo 256.
"""

import pathlib

import tensorflow as tf

SIZES = [(4, 5), (3, 7), (1, 2)]


def example(number, height, width):
    y, x, c = tf.meshgrid(tf.range(height), tf.range(width), tf.range(3), indexing="ij")
    pixels = tf.cast((31 * number + 17 * y + 5 * x + 101 * c) % 256, tf.uint8)
    encoded = tf.io.encode_png(pixels).numpy()
    features = {
        "image/encoded": tf.train.Feature(bytes_list=tf.train.BytesList(value=[encoded])),
        "image/class/label": tf.train.Feature(int64_list=tf.train.Int64List(value=[number + 1])),
        "image/class/text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"ship"])),
        "image/object/bbox/xmin": tf.train.Feature(float_list=tf.train.FloatList(value=[0.25, 0.5])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features))


for name, compression in (("pictures.tfrecord", ""), ("pictures.tfrecord.gz", "GZIP")):
    with tf.io.TFRecordWriter(str(pathlib.Path(__file__).with_name(name)), options=compression) as writer:
        for number, size in enumerate(SIZES):
            writer.write(example(number, *size).SerializeToString())
