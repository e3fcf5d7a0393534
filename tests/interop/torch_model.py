"""The network of a resolved pipeline in PyTorch, built from the pipeline's list of layers.

Weights come from a checkpoint of ours. Layer options that the file leaves out have the defaults that `host plugins`
shows. Images are NCHW here; kernels in checkpoints are [filters, height, width, channels].
"""

import functools

import torch
import torch.nn.functional as F


class Conv2d:
    def __init__(self, model, path, options):
        self.kernel = model.parameter(path + "/kernel")
        self.bias = model.parameter(path + "/bias") if options.get("bias", True) else None
        self.stride = options.get("stride", 1)
        self.padding = options.get("padding", "same")

    def __call__(self, x):
        sides = []
        for extent, kernel in ((x.shape[3], self.kernel.shape[2]), (x.shape[2], self.kernel.shape[1])):
            total = {
                "valid": 0,
                "reflect": kernel - 1,
                # TensorFlow's rule: the odd element goes behind the input.
                "same": max((-(-extent // self.stride) - 1) * self.stride + kernel - extent, 0),
            }[self.padding]
            sides += [total // 2, total - total // 2]
        padded = F.pad(x, sides, mode="reflect" if self.padding == "reflect" else "constant")
        return F.conv2d(padded, self.kernel.permute(0, 3, 1, 2), self.bias, self.stride)


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


LAYERS = {
    "conv2d": Conv2d,
    "batch_norm": BatchNorm,
    "relu": lambda model, path, options: F.relu,
    "tanh": lambda model, path, options: torch.tanh,
    "scale": lambda model, path, options: lambda x: options["factor"] * x,
    "add": lambda model, path, options: lambda *inputs: sum(inputs),
    "upsample": lambda model, path, options: lambda x: F.interpolate(
        x, scale_factor=options.get("factor", 2), mode="nearest"
    ),
}


class Model:
    """[model] of a pipeline in float64, with the weights of a checkpoint; calling it runs it."""

    def __init__(self, model, weights):
        self.training = True
        self.parameters = {}
        self.statistics = {}
        self._weights = weights
        self._blocks = model.get("blocks", {})
        self._layers = self._build(model["layers"], "")

    def parameter(self, path):
        self.parameters[path] = self._tensor("model/" + path).requires_grad_()
        return self.parameters[path]

    def statistic(self, path):
        self.statistics[path] = self._tensor("running/" + path)
        return self.statistics[path]

    def __call__(self, x):
        return self._run(self._layers, x)

    def _tensor(self, name):
        return torch.tensor(self._weights[name], dtype=torch.float64)

    def _build(self, layers, prefix):
        """[(name, names of inputs, what computes it)]. Paths are numbered as in checkpoints: add, add_2, add_3."""
        built = []
        used = {}
        for layer in layers:
            kind = layer.get("block") or layer["type"]
            base = layer.get("name", kind)
            for _ in range(layer.get("repeat", 1)):
                used[base] = used.get(base, 0) + 1
                path = prefix + base + (f"_{used[base]}" if used[base] > 1 else "")
                if "block" in layer:
                    compute = functools.partial(self._run, self._build(self._blocks[kind]["layers"], path + "/"))
                else:
                    compute = LAYERS[kind](self, path, layer)
                built.append((layer.get("name"), layer.get("inputs", ["previous"]), compute))
        return built

    @staticmethod
    def _run(layers, x):
        known = {"input": x, "previous": x}
        for name, inputs, compute in layers:
            known["previous"] = compute(*(known[each] for each in inputs))
            known[name] = known["previous"]
        return known["previous"]
