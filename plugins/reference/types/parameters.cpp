#include "types/parameters.hpp"

namespace sluice::reference {

std::int32_t initializer_of(const std::string& name) {
    if (name == "glorot_uniform") {
        return SLUICE_INIT_GLOROT_UNIFORM;
    }
    if (name == "glorot_normal") {
        return SLUICE_INIT_GLOROT_NORMAL;
    }
    return name == "he_uniform" ? SLUICE_INIT_HE_UNIFORM : SLUICE_INIT_HE_NORMAL;
}

void add_kernel(const sdk::LayerSink& sink, std::initializer_list<std::int64_t> shape, std::int32_t initializer,
                const Fans& fans) {
    sluice_parameter kernel{};
    kernel.name = sdk::text_of("kernel");
    kernel.spec = sdk::make_spec(sdk::kFloat32, shape);
    kernel.initializer = initializer;
    kernel.fan_in = fans.in;
    kernel.fan_out = fans.out;
    sink.parameter(kernel);
}

void add_vector(const sdk::LayerSink& sink, std::string_view name, const sluice_tensor_spec& spec,
                std::int32_t initializer) {
    sluice_parameter vector{};
    vector.name = sdk::text_of(name);
    vector.spec = spec;
    vector.initializer = initializer;
    sink.parameter(vector);
}

void add_constant(const sdk::LayerSink& sink, std::string_view name, const sluice_tensor_spec& spec, double initial) {
    sluice_parameter vector{};
    vector.name = sdk::text_of(name);
    vector.spec = spec;
    vector.initializer = SLUICE_INIT_CONSTANT;
    vector.argument = initial;
    sink.parameter(vector);
}

}  // namespace sluice::reference
