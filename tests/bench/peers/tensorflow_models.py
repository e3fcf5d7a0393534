"""The networks of ../pipelines in Keras, NHWC. Each function of MODELS returns (model, shape of the input without N,
shape of the target without N or None for class numbers, loss, optimizer)."""

import keras
from keras import layers, ops


def reflected(x, width):
    return ops.pad(x, [[0, 0], [width, width], [width, width], [0, 0]], mode="reflect")


def generator(side, channels, blocks, dropout, factor, ends_in_tanh, epsilon, momentum):
    def normalised(x, filters, kernel, stride=1, reflect=False):
        if reflect:
            x = reflected(x, kernel // 2)
        x = layers.Conv2D(filters, kernel, stride, padding="valid" if reflect else "same")(x)
        return layers.BatchNormalization(epsilon=epsilon, momentum=momentum)(x)

    def residual(x):
        y = layers.ReLU()(normalised(x, 4 * channels, 3, reflect=True))
        if dropout:
            y = layers.Dropout(dropout)(y)
        return x + normalised(y, 4 * channels, 3, reflect=True)

    start = keras.Input((side, side, 3))
    x = layers.ReLU()(normalised(start, channels, 7, reflect=True))
    for filters in (2 * channels, 4 * channels):
        x = layers.ReLU()(normalised(x, filters, 3, stride=2))
    for _ in range(blocks):
        x = residual(x)
    for filters in (2 * channels, channels):
        x = layers.ReLU()(normalised(layers.UpSampling2D()(x), filters, 3))
    x = layers.Conv2D(3, 7)(reflected(x, 3))
    end = factor * (start + ops.tanh(x)) if ends_in_tanh else start + factor * x
    return keras.Model(start, end)


def resnet50():
    def convolution(x, filters, kernel, stride=1):
        if kernel > 1:
            x = layers.ZeroPadding2D(kernel // 2)(x)
        x = layers.Conv2D(filters, kernel, stride, use_bias=False)(x)
        return layers.BatchNormalization(epsilon=1e-5, momentum=0.9)(x)

    def bottleneck(x, width, stride):
        y = layers.ReLU()(convolution(x, width, 1))
        y = layers.ReLU()(convolution(y, width, 3, stride))
        y = convolution(y, 4 * width, 1)
        if stride != 1 or x.shape[-1] != 4 * width:
            x = convolution(x, 4 * width, 1, stride)
        return layers.ReLU()(x + y)

    start = keras.Input((224, 224, 3))
    x = layers.ReLU()(convolution(start, 64, 7, 2))
    x = layers.MaxPooling2D(3, 2)(layers.ZeroPadding2D(1)(x))
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            x = bottleneck(x, width, stride if i == 0 else 1)
    return keras.Model(start, layers.Dense(1000)(layers.GlobalAveragePooling2D()(x)))


def tiny():
    start = keras.Input((16, 16, 3))
    x = layers.Conv2D(8, 3, padding="same")(start)
    x = layers.ReLU()(layers.BatchNormalization(epsilon=1e-5, momentum=0.9)(x))
    x = layers.ReLU()(layers.Conv2D(8, 3, padding="same")(x))
    return keras.Model(start, layers.Conv2D(3, 3, padding="same")(x))


def article():
    return generator(256, 64, 9, dropout=0.5, factor=0.5, ends_in_tanh=True, epsilon=1e-3, momentum=0.99)


def small():
    return generator(128, 16, 3, dropout=0.0, factor=0.1, ends_in_tanh=False, epsilon=1e-5, momentum=0.9)


def absolute(wanted, got):
    return ops.mean(ops.abs(got - wanted))


def cross_entropy(wanted, got):
    return ops.mean(keras.losses.sparse_categorical_crossentropy(wanted, got, from_logits=True))


def adam(rate):
    return keras.optimizers.Adam(rate, epsilon=1e-8)


MODELS = {
    "article": lambda: (article(), (256, 256, 3), (256, 256, 3), absolute, adam(1e-4)),
    "small": lambda: (small(), (128, 128, 3), (128, 128, 3), absolute, adam(1e-3)),
    "resnet50": lambda: (resnet50(), (224, 224, 3), None, cross_entropy, keras.optimizers.SGD(1e-2, momentum=0.9)),
    "tiny": lambda: (tiny(), (16, 16, 3), (16, 16, 3), absolute, adam(1e-3)),
}
