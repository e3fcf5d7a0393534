"""Times training steps of a network in PyTorch, on one batch of noise that is there before. Prints JSON.

    torch_step.py MODEL --batch N --steps N --threads N --layout contiguous|channels_last --precision float32|bfloat16

bfloat16 is autocast's: weights stay float32, and the loss is computed in float32.
"""

import json
import sys

try:
    import torch

    import torch_models
except ImportError as missing:
    sys.exit(f"{missing} (Debian: python3-torch)")

from process_figures import peak_resident_bytes, seconds_since_start, time_steps
from step_arguments import make_parser


def main():
    parser = make_parser(torch_models.MODELS)
    parser.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(7)
    layout = torch.channels_last if arguments.layout == "channels_last" else torch.contiguous_format
    model, input_shape, target_shape, loss_function, make_optimizer = torch_models.MODELS[arguments.model]()
    model = model.to(memory_format=layout).train()
    optimizer = make_optimizer(model.parameters())
    x = torch.rand(arguments.batch, *input_shape).to(memory_format=layout)
    if target_shape:
        target = torch.rand(arguments.batch, *target_shape).to(memory_format=layout)
    else:
        target = torch.randint(1000, (arguments.batch,))

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.precision == "bfloat16"):
            y = model(x)
        loss = loss_function(y.float(), target)
        loss.backward()
        optimizer.step()

    start_up = seconds_since_start()
    seconds = time_steps(step, arguments.warm_up, arguments.steps)
    figures = {
        "version": "PyTorch " + torch.__version__,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "seconds": seconds,
        "start_up_seconds": start_up,
        "resident_peak": peak_resident_bytes(),
    }
    print(json.dumps(figures))


main()
