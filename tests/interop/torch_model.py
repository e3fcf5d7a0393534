"""The network of a resolved pipeline in PyTorch, built from the pipeline's list of layers.

Weights come from a checkpoint of ours; torch_layers.py has the layer types.
"""

import functools

import torch

from torch_layers import LAYERS


class Model:
    """The network of a pipeline in float64, with the weights of a checkpoint. Calling it computes the output."""

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
        """Returns [(name, names of inputs, function)]. Paths are numbered as in checkpoints: add, add_2, add_3."""
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
