#include "types/conv_geometry.hpp"

#include <algorithm>
#include <string>

namespace sluice::reference {
namespace {

Padding padding_of(const std::string& name) {
    return name == "same" ? Padding::same : name == "valid" ? Padding::valid : Padding::reflect;
}

[[noreturn]] void refuse(const char* axis, std::int64_t in, std::int64_t kernel, const std::string& right) {
    throw sdk::Failure(SLUICE_INVALID, "conv2d: the input's " + std::string(axis) + " is " + std::to_string(in) +
                                           " and kernel is " + std::to_string(kernel) + "; " + right);
}

ConvAxis make_axis(const ConvWindow& window, std::int64_t in, const char* name) {
    ConvAxis axis;
    axis.in = in;
    axis.kernel = window.kernel;
    axis.stride = window.stride;
    if (window.padding == Padding::same) {
        // TensorFlow's rule: the odd element of padding goes behind the input.
        axis.out = (in + axis.stride - 1) / axis.stride;
        axis.before = std::max<std::int64_t>((axis.out - 1) * axis.stride + axis.kernel - in, 0) / 2;
        return axis;
    }
    std::int64_t padded = in;
    if (window.padding == Padding::reflect) {
        axis.reflect = true;
        axis.before = (axis.kernel - 1) / 2;
        padded += 2 * axis.before;
        if (axis.kernel % 2 == 0) {
            refuse(name, in, axis.kernel, "padding \"reflect\" needs an odd kernel");
        }
        if (axis.before >= in) {
            refuse(name, in, axis.kernel, "padding \"reflect\" needs at least (kernel + 1) / 2 elements to mirror");
        }
    }
    if (axis.kernel > padded) {
        refuse(name, in, axis.kernel, "without zero padding the kernel must fit into the input");
    }
    axis.out = (padded - axis.kernel) / axis.stride + 1;
    return axis;
}

}  // namespace

ConvWindow::ConvWindow(const sdk::Options& options)
    : filters(options.maybe_integer("filters")),
      kernel(options.integer("kernel")),
      stride(options.integer("stride")),
      padding(padding_of(options.string("padding"))) {}

std::vector<std::int64_t> ConvAxis::sources() const {
    std::vector<std::int64_t> table;
    for (std::int64_t o = 0; o < out; ++o) {
        for (std::int64_t k = 0; k < kernel; ++k) {
            std::int64_t source = o * stride + k - before;
            if (reflect) {
                source = source < 0 ? -source : source;
                source = source >= in ? 2 * (in - 1) - source : source;
            }
            table.push_back(source >= 0 && source < in ? source : -1);
        }
    }
    return table;
}

ConvGeometry conv_geometry(const ConvWindow& window, const sluice_tensor_spec& input) {
    ConvGeometry geometry;
    geometry.batch = input.shape[0];
    geometry.channels = input.shape[3];
    geometry.filters = window.filters.value_or(geometry.channels);
    geometry.height = make_axis(window, input.shape[1], "height");
    geometry.width = make_axis(window, input.shape[2], "width");
    return geometry;
}

}  // namespace sluice::reference
