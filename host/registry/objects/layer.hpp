// A layer type: traits, output shapes, parameters and states (kind/layer.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "registry/objects/object.hpp"
#include "sluice/kind/layer.h"

namespace sluice::registry {

struct ParameterInfo {
    std::string name;
    sluice_tensor_spec spec{};
    std::int32_t initializer = SLUICE_INIT_ZEROS;
    double argument = 0.0;
    std::int64_t fan_in = 0;
    std::int64_t fan_out = 0;
};

struct StateInfo {
    std::string name;
    sluice_tensor_spec spec{};
    double initial = 0.0;
};

struct LayerShape {
    std::vector<sluice_tensor_spec> outputs;
    std::vector<ParameterInfo> parameters;
    std::vector<StateInfo> states;
    double flops = 0.0;
};

class Layer {
public:
    // `options` must be complete, as Registry::options() returns them.
    Layer(const Component& component, const Table& options, const std::string& where);
    [[nodiscard]] const sluice_layer_traits& traits() const { return traits_; }
    // `where` opens messages: "deblur.toml:30:5: layer 'residual/1/add'".
    [[nodiscard]] LayerShape infer(std::span<const sluice_tensor_spec> inputs, const std::string& where) const;
    [[nodiscard]] double finalize(std::span<const double> sums) const;

private:
    Object<sluice_layer> object_;
    sluice_layer_traits traits_{};
};

}  // namespace sluice::registry
