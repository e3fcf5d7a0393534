#include "types/window.hpp"

#include <utility>

namespace sluice::reference {
namespace {

Padding padding_of(const std::string& name) {
    return name == "same"      ? Padding::same
           : name == "valid"   ? Padding::valid
           : name == "reflect" ? Padding::reflect
                               : Padding::given;
}

sdk::PadSides sides_of(const std::string& layer, const sdk::Options& options, Padding padding) {
    if ((padding == Padding::given) != options.has("pad")) {
        throw sdk::Failure(SLUICE_INVALID,
                           layer + ": pad and padding = \"explicit\" need each other; " +
                               (options.has("pad") ? "only pad is given" : "only the padding is \"explicit\""));
    }
    if (padding != Padding::given) {
        return {};
    }
    const std::vector<std::int64_t> pad = options.integers("pad");
    const std::optional<sdk::PadSides> sides = sdk::spread_pad(pad);
    if (!sides) {
        throw sdk::Failure(SLUICE_INVALID, layer + ": pad has " + std::to_string(pad.size()) +
                                               " numbers; it takes 1 (all sides), 2 (height, width) or 4 (top, "
                                               "bottom, left, right)");
    }
    return *sides;
}

[[noreturn]] void refuse(const Window& window, const WindowAxis& axis, const char* name, const std::string& right) {
    throw sdk::Failure(SLUICE_INVALID, window.layer + ": the input's " + name + " is " + std::to_string(axis.in) +
                                           " and the window covers " + std::to_string(axis.extent()) + "; " + right);
}

void pad_same(WindowAxis& axis) {
    axis.out = (axis.in + axis.stride - 1) / axis.stride;
    axis.pad = sdk::same_padding(axis.in, axis.out, axis.extent(), axis.stride);
}

void pad_reflect(const Window& window, WindowAxis& axis, const char* name) {
    axis.reflect = true;
    axis.pad.before = axis.pad.after = sdk::reflected_border(axis.extent());
    if (axis.extent() % 2 == 0) {
        refuse(window, axis, name, "padding \"reflect\" needs an odd kernel");
    }
    if (axis.pad.before >= axis.in) {
        refuse(window, axis, name, "padding \"reflect\" needs at least (kernel + 1) / 2 elements to mirror");
    }
}

// index: 0 for the height, 1 for the width.
WindowAxis make_axis(const Window& window, std::int64_t in, const char* name, std::size_t index) {
    WindowAxis axis{.in = in, .kernel = window.kernel, .stride = window.stride, .dilation = window.dilation};
    if (window.padding == Padding::same) {
        pad_same(axis);
        return axis;
    }
    if (window.padding == Padding::reflect) {
        pad_reflect(window, axis, name);
    } else if (window.padding == Padding::given) {
        axis.pad = sdk::axis_of(window.pad, index);
    }
    const std::int64_t padded = in + axis.pad.before + axis.pad.after;
    if (axis.extent() > padded) {
        refuse(window, axis, name, "it must fit into the padded input, " + std::to_string(padded));
    }
    axis.out = (padded - axis.extent()) / axis.stride + 1;
    return axis;
}

}  // namespace

Window::Window(std::string type, const sdk::Options& options)
    : layer(std::move(type)),
      kernel(options.integer("kernel")),
      stride(options.maybe_integer("stride").value_or(kernel)),
      dilation(options.maybe_integer("dilation").value_or(1)),
      padding(padding_of(options.string("padding"))),
      pad(sides_of(layer, options, padding)) {}

std::vector<std::int64_t> WindowAxis::sources() const {
    std::vector<std::int64_t> table;
    for (std::int64_t o = 0; o < out; ++o) {
        for (std::int64_t k = 0; k < kernel; ++k) {
            std::int64_t source = o * stride + k * dilation - pad.before;
            if (reflect) {
                source = source < 0 ? -source : source;
                source = source >= in ? 2 * (in - 1) - source : source;
            }
            table.push_back(source >= 0 && source < in ? source : -1);
        }
    }
    return table;
}

WindowAxis height_axis(const Window& window, std::int64_t in) { return make_axis(window, in, "height", 0); }
WindowAxis width_axis(const Window& window, std::int64_t in) { return make_axis(window, in, "width", 1); }

std::vector<std::vector<Reader>> readers_of(const WindowAxis& axis) {
    std::vector<std::vector<Reader>> readers(static_cast<std::size_t>(axis.in));
    const std::vector<std::int64_t> sources = axis.sources();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i] >= 0) {
            const auto at = static_cast<std::int64_t>(i);
            readers[static_cast<std::size_t>(sources[i])].push_back({at / axis.kernel, at % axis.kernel});
        }
    }
    return readers;
}

}  // namespace sluice::reference
