#include "types/convolution/conv_geometry.hpp"

#include <string>

namespace sluice::reference {

ConvOptions::ConvOptions(const sdk::Options& options)
    : window("conv2d", options), filters(options.maybe_integer("filters")), groups(options.integer("groups")) {}

ConvGeometry conv_geometry(const ConvOptions& options, const sluice_tensor_spec& input) {
    ConvGeometry geometry;
    geometry.batch = input.shape[0];
    geometry.channels = input.shape[3];
    geometry.filters = options.filters.value_or(geometry.channels);
    geometry.groups = options.groups;
    if (geometry.channels % geometry.groups != 0 || geometry.filters % geometry.groups != 0) {
        throw sdk::Failure(SLUICE_INVALID,
                           "conv2d: groups is " + std::to_string(geometry.groups) + ", the input has " +
                               std::to_string(geometry.channels) + (geometry.channels == 1 ? " channel" : " channels") +
                               " and filters is " + std::to_string(geometry.filters) + "; groups must divide both");
    }
    geometry.height = height_axis(options.window, input.shape[1]);
    geometry.width = width_axis(options.window, input.shape[2]);
    return geometry;
}

}  // namespace sluice::reference
