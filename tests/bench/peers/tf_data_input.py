"""Measures how many samples of photographs tf.data makes in a second, and prints JSON. It decodes only a random square,
mirrors it at random and keeps it as uint8.

    tf_data_input.py FOLDER --setting NAME --batch N --side N --threads N --seconds S
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

try:
    import tensorflow as tf
except ImportError as missing:
    sys.exit(f"{missing} (PyPI: tensorflow-cpu)")

from input_arguments import count_batches, read_arguments

# name: (parallel calls, True if batches keep the order of the files, True if tf.data has threads of its own)
SETTINGS = {
    "autotune": (tf.data.AUTOTUNE, True, False),
    "autotune,unordered": (tf.data.AUTOTUNE, False, False),
    "threads,unordered": ("threads", False, True),
}


def make_dataset(arguments):
    calls, ordered, own_threads = SETTINGS[arguments.setting]
    side = arguments.side

    def read(path):
        file = tf.io.read_file(path)
        shape = tf.image.extract_jpeg_shape(file)
        top = tf.random.uniform((), 0, shape[0] - side + 1, tf.int32)
        left = tf.random.uniform((), 0, shape[1] - side + 1, tf.int32)
        square = tf.image.decode_and_crop_jpeg(file, [top, left, side, side], channels=3)
        return tf.image.random_flip_left_right(tf.ensure_shape(square, (side, side, 3)))

    options = tf.data.Options()
    options.deterministic = ordered
    if own_threads:
        options.threading.private_threadpool_size = arguments.threads
        options.threading.max_intra_op_parallelism = 1
    dataset = tf.data.Dataset.from_tensor_slices(arguments.files).shuffle(len(arguments.files)).repeat()
    dataset = dataset.map(read, num_parallel_calls=arguments.threads if calls == "threads" else calls)
    return dataset.batch(arguments.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE).with_options(options)


def main():
    arguments = read_arguments(SETTINGS)
    count_batches(make_dataset(arguments), arguments, "TensorFlow " + tf.__version__)


main()
