#include "run/pretrained/torch_tensors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <utility>

#include "sluice/half.h"

namespace sluice::run {
namespace {

using Shape = std::vector<std::int64_t>;

std::vector<std::string> parts_of(const std::string& path) {
    std::vector<std::string> parts;
    std::istringstream stream(path);
    for (std::string part; std::getline(stream, part, '/');) {
        parts.push_back(part);
    }
    return parts;
}

// The path that a rule makes of this one: if the path begins with the pattern, that part is replaced. "*" stands for
// one part of a path.
std::string renamed(const std::string& path, const config::NameRule& rule) {
    const std::vector<std::string> parts = parts_of(path);
    const std::vector<std::string> pattern = parts_of(rule.ours);
    std::string theirs = rule.theirs;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (i >= parts.size() || (pattern[i] != "*" && pattern[i] != parts[i])) {
            return path;
        }
        if (const std::size_t star = theirs.find('*'); pattern[i] == "*" && star != std::string::npos) {
            theirs.replace(star, 1, parts[i]);
        }
    }
    for (std::size_t i = pattern.size(); i < parts.size(); ++i) {
        theirs += "/" + parts[i];
    }
    return theirs;
}

// A layer_scale is no module of its own in PyTorch but a parameter of the module around it.
std::string torch_leaf(const OwnTensor& tensor) {
    static constexpr std::array<std::pair<const char*, const char*>, 6> kLeaves{{{"kernel", "weight"},
                                                                                 {"gamma", "weight"},
                                                                                 {"slope", "weight"},
                                                                                 {"beta", "bias"},
                                                                                 {"mean", "running_mean"},
                                                                                 {"variance", "running_var"}}};
    if (tensor.layer_type == "layer_scale") {
        return {};
    }
    const auto* const found =
        std::ranges::find_if(kLeaves, [&](const auto& leaf) { return tensor.leaf == leaf.first; });
    return found != kLeaves.end() ? found->second : tensor.leaf;
}

std::optional<std::vector<float>> floats_of(const NamedBytes& theirs) {
    const auto count = static_cast<std::size_t>(element_count(theirs.spec));
    std::vector<float> values(count);
    const auto read = [&](auto element, const auto& convert) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&element, theirs.bytes.data() + i * sizeof(element), sizeof(element));
            values[i] = convert(element);
        }
    };
    const sluice_dtype dtype = theirs.spec.dtype;
    if (dtype == kFloat32) {
        read(float{}, [](float value) { return value; });
    } else if (dtype == kFloat64) {
        read(double{}, [](double value) { return static_cast<float>(value); });
    } else if (dtype == kFloat16) {
        read(std::uint16_t{}, [](std::uint16_t bits) { return sluice_float_of_float16(bits); });
    } else if (dtype == kBfloat16) {
        read(std::uint16_t{}, [](std::uint16_t bits) { return sluice_float_of_bfloat16(bits); });
    } else {
        return std::nullopt;
    }
    return values;
}

Shape without_ones(std::span<const std::int64_t> shape) {
    Shape kept(shape.begin(), shape.end());
    std::erase(kept, 1);
    return kept;
}

// to[i] = from[k], where axis a of `to` is axis axes[a] of `from`, which has these extents.
std::vector<float> permuted(const std::vector<float>& from, const Shape& extents,
                            const std::vector<std::size_t>& axes) {
    Shape strides(extents.size(), 1);
    for (std::size_t i = extents.size() - 1; i > 0; --i) {
        strides[i - 1] = strides[i] * extents[i];
    }
    std::vector<float> to;
    to.reserve(from.size());
    Shape at(axes.size(), 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::int64_t place = 0;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            place += at[a] * strides[axes[a]];
        }
        to.push_back(from[static_cast<std::size_t>(place)]);
        for (std::size_t a = axes.size(); a-- > 0;) {
            if (++at[a] < extents[axes[a]]) {
                break;
            }
            at[a] = 0;
        }
    }
    return to;
}

// How PyTorch lays out a tensor of these axes: extents of theirs, and the axis of theirs for each of ours.
struct Layout {
    Shape extents;
    std::vector<std::size_t> axes;
};

std::optional<Layout> layout_of(const OwnTensor& tensor) {
    const std::span<const std::int64_t> own = shape_of(tensor.spec);
    if (tensor.leaf != "kernel") {
        return std::nullopt;
    }
    if (tensor.layer_type == "conv2d") {  // PyTorch has [out, in, h, w]
        return Layout{{own[0], own[3], own[1], own[2]}, {0, 2, 3, 1}};
    }
    if (tensor.layer_type == "conv2d_transpose") {  // PyTorch has [in, out, h, w]
        return Layout{{own[3], own[0], own[1], own[2]}, {1, 2, 3, 0}};
    }
    const auto [height, width, channels] = tensor.picture;
    if (tensor.layer_type == "dense" && channels > 0) {  // PyTorch has [units, c, h, w]
        return Layout{{own[0], channels, height, width}, {0, 2, 3, 1}};
    }
    return std::nullopt;
}

}  // namespace

std::string torch_name(const OwnTensor& tensor, std::span<const config::NameRule> rules) {
    std::string name = tensor.path;
    for (const config::NameRule& rule : rules) {
        name = renamed(name, rule);
    }
    std::ranges::replace(name, '/', '.');
    const std::string leaf = torch_leaf(tensor);
    return leaf.empty() ? name : name + "." + leaf;
}

std::optional<std::vector<float>> from_torch(const OwnTensor& tensor, const NamedBytes& theirs) {
    const std::optional<Layout> layout = layout_of(tensor);
    const std::span<const std::int64_t> shape = shape_of(theirs.spec);
    const bool fits = without_ones(shape) == without_ones(layout ? std::span<const std::int64_t>(layout->extents)
                                                                 : shape_of(tensor.spec)) ||
                      (tensor.layer_type == "dense" && without_ones(shape) == without_ones(shape_of(tensor.spec)));
    std::optional<std::vector<float>> values = fits ? floats_of(theirs) : std::nullopt;
    return values && layout ? permuted(*values, layout->extents, layout->axes) : values;
}

}  // namespace sluice::run
