"""The networks of ../pipelines in PyTorch, written as its users write them. Each function of MODELS returns
(module, shape of the input without N, shape of the target without N or None for class numbers, loss, optimizer)."""

import torch
from torch import nn


def convolution(inputs, outputs, kernel, stride=1, mode="zeros"):
    return nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, padding_mode=mode)


def normalised(inputs, outputs, kernel, epsilon, momentum, **options):
    return [
        convolution(inputs, outputs, kernel, **options),
        nn.BatchNorm2d(outputs, eps=epsilon, momentum=momentum),
    ]


class Residual(nn.Module):
    def __init__(self, channels, dropout, **normalisation):
        super().__init__()
        self.layers = nn.Sequential(
            *normalised(channels, channels, 3, mode="reflect", **normalisation),
            nn.ReLU(inplace=True),
            *([nn.Dropout(dropout)] if dropout else []),
            *normalised(channels, channels, 3, mode="reflect", **normalisation),
        )

    def forward(self, x):
        return x + self.layers(x)


class Generator(nn.Module):
    """The network of deblur.toml and deblur-article.toml.

    Convolutions of stride 2 are padded on both sides, because padding one side costs PyTorch another pass over memory.
    """

    def __init__(self, channels, blocks, dropout, factor, ends_in_tanh, epsilon, momentum):
        super().__init__()
        normalisation = {"epsilon": epsilon, "momentum": momentum}
        c = channels
        layers = [*normalised(3, c, 7, mode="reflect", **normalisation), nn.ReLU(inplace=True)]
        for inputs in (c, 2 * c):
            layers += [*normalised(inputs, 2 * inputs, 3, stride=2, **normalisation), nn.ReLU(inplace=True)]
        layers += [Residual(4 * c, dropout, **normalisation) for _ in range(blocks)]
        for inputs in (4 * c, 2 * c):
            layers += [
                nn.Upsample(scale_factor=2, mode="nearest"),
                *normalised(inputs, inputs // 2, 3, **normalisation),
                nn.ReLU(inplace=True),
            ]
        layers += [convolution(c, 3, 7, mode="reflect"), *([nn.Tanh()] if ends_in_tanh else [])]
        self.layers = nn.Sequential(*layers)
        self.ends_in_tanh = ends_in_tanh
        self.factor = factor

    def forward(self, x):
        y = self.layers(x)
        return self.factor * (x + y) if self.ends_in_tanh else x + self.factor * y


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.layers = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.layers(x) + self.shortcut(x))


def resnet50():
    layers = [
        nn.Conv2d(3, 64, 7, 2, padding=3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, 2, padding=1),
    ]
    inputs = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            layers.append(Bottleneck(inputs, width, stride if i == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


def tiny():
    return nn.Sequential(
        convolution(3, 8, 3),
        nn.BatchNorm2d(8),
        nn.ReLU(inplace=True),
        convolution(8, 8, 3),
        nn.ReLU(inplace=True),
        convolution(8, 3, 3),
    )


def one_launch(make):
    """Returns `make` with fused=True, or with foreach=True if this PyTorch cannot fuse; on the CPU, with neither."""

    def optimizer(parameters):
        if not parameters[0].is_cuda:
            return make(parameters)
        try:
            return make(parameters, fused=True)
        except (TypeError, RuntimeError):
            return make(parameters, foreach=True)

    return optimizer


def adam(rate):
    return one_launch(lambda parameters, **options: torch.optim.Adam(parameters, lr=rate, **options))


def momentum(rate):
    return one_launch(lambda parameters, **options: torch.optim.SGD(parameters, lr=rate, momentum=0.9, **options))


def article():
    return Generator(64, 9, dropout=0.5, factor=0.5, ends_in_tanh=True, epsilon=1e-3, momentum=0.01)


def small():
    return Generator(16, 3, dropout=0.0, factor=0.1, ends_in_tanh=False, epsilon=1e-5, momentum=0.1)


MODELS = {
    "article": lambda: (article(), (3, 256, 256), (3, 256, 256), nn.L1Loss(), adam(1e-4)),
    "small": lambda: (small(), (3, 128, 128), (3, 128, 128), nn.L1Loss(), adam(1e-3)),
    "resnet50": lambda: (resnet50(), (3, 224, 224), None, nn.CrossEntropyLoss(), momentum(1e-2)),
    "tiny": lambda: (tiny(), (3, 16, 16), (3, 16, 16), nn.L1Loss(), adam(1e-3)),
}
