"""The layer types of a pipeline in PyTorch: each is called as (model, path, options) and returns a function.

Weights come from the model. Options that the file leaves out have the defaults that `host plugins` shows. Images are
NCHW here; kernels in checkpoints are [filters, height, width, channels].
"""

import torch
import torch.nn.functional as F


def padding_of(options, extents, default="same"):
    """Returns the padding [left, right, top, bottom] of a window on an image of these extents, (height, width)."""
    kernel = options.get("kernel", 3)
    stride = options.get("stride", 1)
    reach = (kernel - 1) * options.get("dilation", 1)
    padding = options.get("padding", default)
    if padding == "explicit":
        pad = options["pad"]
        top, bottom, left, right = {1: pad * 4, 2: pad[:1] * 2 + pad[1:] * 2, 4: pad}[len(pad)]
        return [left, right, top, bottom]
    sides = []
    for extent in reversed(extents):
        total = {
            "valid": 0,
            "reflect": reach,
            # TensorFlow's rule: the odd element goes after the input.
            "same": max((-(-extent // stride) - 1) * stride + reach + 1 - extent, 0),
        }[padding]
        sides += [total // 2, total - total // 2]
    return sides


class Conv2d:
    def __init__(self, model, path, options):
        self.kernel = model.parameter(path + "/kernel")
        self.bias = model.parameter(path + "/bias") if options.get("bias", True) else None
        self.options = {"kernel": self.kernel.shape[1], **options}

    def __call__(self, x):
        mode = "reflect" if self.options.get("padding") == "reflect" else "constant"
        padded = F.pad(x, padding_of(self.options, x.shape[2:]), mode=mode)
        return F.conv2d(
            padded,
            self.kernel.permute(0, 3, 1, 2),
            self.bias,
            self.options.get("stride", 1),
            dilation=self.options.get("dilation", 1),
            groups=self.options.get("groups", 1),
        )


class Conv2dTranspose:
    """PyTorch's transposed convolution without padding, cut to the extents of ours."""

    def __init__(self, model, path, options):
        self.kernel = model.parameter(path + "/kernel")
        self.bias = model.parameter(path + "/bias") if options.get("bias", True) else None
        self.stride = options.get("stride", 1)
        self.options = options

    def __call__(self, x):
        whole = F.conv_transpose2d(x, self.kernel.permute(3, 0, 1, 2), self.bias, self.stride)
        if self.options.get("padding", "same") == "same":
            total = max(self.kernel.shape[1] - self.stride, 0)
            sides = [total // 2, total - total // 2] * 2
        else:
            sides = padding_of(self.options, x.shape[2:])
        left, right, top, bottom = sides
        return whole[:, :, top : whole.shape[2] - bottom, left : whole.shape[3] - right]


class Dense:
    def __init__(self, model, path, options):
        self.kernel = model.parameter(path + "/kernel")
        self.bias = model.parameter(path + "/bias") if options.get("bias", True) else None

    def __call__(self, x):
        return F.linear(x.movedim(1, -1), self.kernel, self.bias).movedim(-1, 1)


class Pool:
    def __init__(self, options):
        kernel = options.get("kernel", 2)
        self.options = {"padding": "valid", "kernel": kernel, "stride": kernel, **options}

    def window(self):
        return self.options["kernel"], self.options["stride"]


class MaxPool(Pool):
    def __call__(self, x):
        padded = F.pad(x, padding_of(self.options, x.shape[2:]), value=-torch.inf)
        return F.max_pool2d(padded, *self.window())


class AveragePool(Pool):
    def __call__(self, x):
        sides = padding_of(self.options, x.shape[2:])
        mean = F.avg_pool2d(F.pad(x, sides), *self.window())
        if self.options.get("count_padding", False):
            return mean
        return mean / F.avg_pool2d(F.pad(torch.ones_like(x), sides), *self.window())


class BatchNorm:
    def __init__(self, model, path, options):
        self.model = model
        self.gamma = model.parameter(path + "/gamma")
        self.beta = model.parameter(path + "/beta")
        self.mean = model.statistic(path + "/mean")
        self.variance = model.statistic(path + "/variance")
        self.epsilon = options.get("epsilon", 1e-5)
        self.momentum = options.get("momentum", 0.9)

    def __call__(self, x):
        # Our momentum is the share that is kept, PyTorch's the share that is new.
        return F.batch_norm(
            x, self.mean, self.variance, self.gamma, self.beta, self.model.training, 1 - self.momentum, self.epsilon
        )


class Norm:
    """group_norm, instance_norm or layer_norm, by the function compute(x, gamma, beta, epsilon)."""

    def __init__(self, model, path, options, affine, compute):
        has = options.get("affine", affine)
        self.gamma, self.beta = (model.parameter(f"{path}/{name}") if has else None for name in ("gamma", "beta"))
        self.epsilon = options.get("epsilon", 1e-5)
        self.compute = compute

    def __call__(self, x):
        return self.compute(x, self.gamma, self.beta, self.epsilon)


def group_norm(model, path, options):
    groups = options.get("groups", 32)
    return Norm(model, path, options, True, lambda x, *rest: F.group_norm(x, groups, *rest))


def instance_norm(model, path, options):
    return Norm(
        model,
        path,
        options,
        False,
        lambda x, gamma, beta, epsilon: F.instance_norm(x, weight=gamma, bias=beta, eps=epsilon),
    )


def layer_norm(model, path, options):
    def compute(x, gamma, beta, epsilon):
        last = x.movedim(1, -1)
        return F.layer_norm(last, last.shape[-options.get("axes", 1) :], gamma, beta, epsilon).movedim(-1, 1)

    return Norm(model, path, options, True, compute)


def upsample(_model, _path, options):
    mode = options.get("mode", "nearest")
    corners = {} if mode == "nearest" else {"align_corners": False}
    return lambda x: F.interpolate(x, scale_factor=options.get("factor", 2), mode=mode, **corners)


def product(*inputs):
    result = inputs[0]
    for each in inputs[1:]:
        result = result * each
    return result


LAYERS = {
    "add": lambda model, path, options: lambda *inputs: sum(inputs),
    "average_pool": lambda model, path, options: AveragePool(options),
    "batch_norm": BatchNorm,
    "concat": lambda model, path, options: lambda *inputs: torch.cat(inputs, 1),
    "conv2d": Conv2d,
    "conv2d_transpose": Conv2dTranspose,
    "dense": Dense,
    # Only with keep_extents, because then the result is still an image.
    "global_average_pool": lambda model, path, options: lambda x: x.mean((2, 3), keepdim=True),
    "global_max_pool": lambda model, path, options: lambda x: F.adaptive_max_pool2d(x, 1),
    "group_norm": group_norm,
    "instance_norm": instance_norm,
    "layer_norm": layer_norm,
    "max_pool": lambda model, path, options: MaxPool(options),
    "multiply": lambda model, path, options: product,
    "relu": lambda model, path, options: F.relu,
    "scale": lambda model, path, options: lambda x: options["factor"] * x,
    "softmax": lambda model, path, options: lambda x: F.softmax(x, 1),
    "tanh": lambda model, path, options: torch.tanh,
    "upsample": upsample,
}
