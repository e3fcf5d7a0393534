"""Times training steps of a network in TensorFlow, as one graph (tf.function), on one batch of noise in memory.
Prints JSON.

    tensorflow_step.py MODEL --batch N --steps N --threads N --precision float32|bfloat16
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

try:
    import tensorflow as tf

    import tensorflow_models
except ImportError as missing:
    sys.exit(f"{missing} (PyPI: tensorflow-cpu)")

from process_figures import peak_resident_bytes, seconds_since_start, time_steps
from step_arguments import make_parser


def main():
    arguments = make_parser(tensorflow_models.MODELS).parse_args()

    tf.config.threading.set_intra_op_parallelism_threads(arguments.threads)
    tf.config.threading.set_inter_op_parallelism_threads(arguments.threads)
    tf.random.set_seed(7)
    if arguments.precision == "bfloat16":
        tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    model, input_shape, target_shape, loss_function, optimizer = tensorflow_models.MODELS[arguments.model]()
    optimizer.build(model.trainable_variables)
    x = tf.random.uniform((arguments.batch, *input_shape))
    if target_shape:
        target = tf.random.uniform((arguments.batch, *target_shape))
    else:
        target = tf.random.uniform((arguments.batch,), 0, 1000, tf.int64)

    @tf.function
    def graph():
        with tf.GradientTape() as tape:
            loss = loss_function(target, tf.cast(model(x, training=True), tf.float32))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    start_up = seconds_since_start()
    seconds = time_steps(lambda: graph().numpy(), arguments.warm_up, arguments.steps)
    figures = {
        "version": "TensorFlow " + tf.__version__,
        "parameters": sum(int(tf.size(variable)) for variable in model.trainable_variables),
        "seconds": seconds,
        "start_up_seconds": start_up,
        "resident_peak": peak_resident_bytes(),
    }
    print(json.dumps(figures))


main()
