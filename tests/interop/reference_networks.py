"""Networks of our model files that no installed package has, as PyTorch modules with the names of their weights."""

import torch
from torch import nn


def double(inputs, filters):
    return nn.ModuleDict({
        "conv1": nn.Conv2d(inputs, filters, 3, padding=1, bias=False), "bn1": nn.BatchNorm2d(filters),
        "conv2": nn.Conv2d(filters, filters, 3, padding=1, bias=False), "bn2": nn.BatchNorm2d(filters)})


def run_double(parts, x):
    for number in ("1", "2"):
        x = torch.relu(parts["bn" + number](parts["conv" + number](x)))
    return x


class UNet(nn.Module):
    def __init__(self, classes, filters=64):
        super().__init__()
        widths = [filters << level for level in range(5)]
        for level in range(4):
            setattr(self, f"down{level}", double(3 if level == 0 else widths[level - 1], widths[level]))
            setattr(self, f"enlarge{level}", nn.ConvTranspose2d(widths[level + 1], widths[level], 2, 2))
            setattr(self, f"up{level}", double(2 * widths[level], widths[level]))
        self.bottom = double(widths[3], widths[4])
        self.head = nn.Conv2d(filters, classes, 1)

    def forward(self, x):
        skips = []
        for level in range(4):
            skips.append(run_double(getattr(self, f"down{level}"), x))
            x = nn.functional.max_pool2d(skips[-1], 2)
        x = run_double(self.bottom, x)
        for level in (3, 2, 1, 0):
            x = torch.cat([skips[level], getattr(self, f"enlarge{level}")(x)], 1)
            x = run_double(getattr(self, f"up{level}"), x)
        return self.head(x)


class UNetOfResNet34(nn.Module):
    def __init__(self, classes):
        super().__init__()
        import torchvision

        self.encoder = torchvision.models.resnet34(weights=None)
        self.encoder.fc = nn.Identity()

        def block(inputs, filters):
            return nn.ModuleDict({
                f"conv{number}": nn.Sequential(nn.Conv2d(given, filters, 3, padding=1, bias=False),
                                               nn.BatchNorm2d(filters), nn.ReLU())
                for number, given in ((1, inputs), (2, filters))})

        widths = ((768, 256), (384, 128), (192, 64), (128, 32), (32, 16))
        self.decoder = nn.ModuleDict({"blocks": nn.ModuleList(block(*pair) for pair in widths)})
        self.segmentation_head = nn.Sequential(nn.Conv2d(16, classes, 3, padding=1))

    def forward(self, x):
        encoder = self.encoder
        stem = torch.relu(encoder.bn1(encoder.conv1(x)))
        levels = [stem, encoder.layer1(encoder.maxpool(stem))]
        for layer in (encoder.layer2, encoder.layer3, encoder.layer4):
            levels.append(layer(levels[-1]))
        x = levels.pop()
        for block in self.decoder["blocks"]:
            x = nn.functional.interpolate(x, scale_factor=2)
            x = torch.cat([x, levels.pop()], 1) if levels else x
            x = block["conv2"](block["conv1"](x))
        return self.segmentation_head(x)


class ChannelNorm(nn.Module):
    """layer_norm over the channels of a picture."""

    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        normal = nn.functional.layer_norm(x.permute(0, 2, 3, 1), self.weight.shape, self.weight, self.bias, 1e-6)
        return normal.permute(0, 3, 1, 2)


def gate(x):
    first, second = x.chunk(2, 1)
    return first * second


class NAFBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm1, self.norm2 = ChannelNorm(c), ChannelNorm(c)
        self.conv1, self.conv3 = nn.Conv2d(c, 2 * c, 1), nn.Conv2d(c, c, 1)
        self.conv2 = nn.Conv2d(2 * c, 2 * c, 3, padding=1, groups=2 * c)
        self.sca = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, c, 1))
        self.conv4, self.conv5 = nn.Conv2d(c, 2 * c, 1), nn.Conv2d(c, c, 1)
        self.beta, self.gamma = (nn.Parameter(torch.zeros(1, c, 1, 1)) for _ in range(2))

    def forward(self, x):
        gated = gate(self.conv2(self.conv1(self.norm1(x))))
        middle = x + self.conv3(gated * self.sca(gated)) * self.beta
        return middle + self.conv5(gate(self.conv4(self.norm2(middle)))) * self.gamma


class NAFNet(nn.Module):
    def __init__(self, channels=3, width=32):
        super().__init__()
        widths = [width << level for level in range(4)]
        self.intro, self.ending = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, channels, 3, padding=1)
        counts = (1, 1, 4)
        self.encoders = nn.ModuleList(
            nn.Sequential(*(NAFBlock(c) for _ in range(count))) for c, count in zip(widths, counts))
        self.downs = nn.ModuleList(nn.Conv2d(c, 2 * c, 2, 2) for c in widths[:3])
        self.middle_blks = nn.Sequential(*(NAFBlock(widths[3]) for _ in range(4)))
        self.ups = nn.ModuleList(nn.Sequential(nn.Conv2d(2 * c, 4 * c, 1, bias=False), nn.PixelShuffle(2))
                                 for c in widths[2::-1])
        self.decoders = nn.ModuleList(nn.Sequential(NAFBlock(c)) for c in widths[2::-1])

    def forward(self, x):
        skips, y = [], self.intro(x)
        for encoder, down in zip(self.encoders, self.downs):
            skips.append(encoder(y))
            y = down(skips[-1])
        y = self.middle_blks(y)
        for up, decoder in zip(self.ups, self.decoders):
            y = decoder(up(y) + skips.pop())
        return self.ending(y) + x
