#include "registry/objects/layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/counted.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {
namespace {

constexpr std::uint32_t kMostInputs = 64;  // sets of inputs are bit masks
constexpr std::uint32_t kFlags = SLUICE_LAYER_RANDOM | SLUICE_LAYER_IDENTITY_IN_EVAL | SLUICE_LAYER_NO_GRADIENT |
                                 SLUICE_LAYER_HIGHER_IS_BETTER | SLUICE_LAYER_IGNORES_LABEL |
                                 SLUICE_LAYER_JOINS_REPLICAS;

void check_traits(const Component& component, const sluice_layer_traits& traits, bool has_finalize) {
    if (traits.role < SLUICE_ROLE_LAYER || traits.role > SLUICE_ROLE_METRIC) {
        misbehaves(component, fmt::format("its role is {}; layer, loss and metric are 0, 1 and 2", traits.role));
    }
    if (traits.min_inputs > traits.max_inputs || traits.max_inputs == 0 || traits.max_inputs > kMostInputs) {
        misbehaves(component, fmt::format("it takes {} to {} inputs; 1 to {} is right", traits.min_inputs,
                                          traits.max_inputs, kMostInputs));
    }
    check_reserved(component, traits.reserved, "its traits");
    if (traits.colour < SLUICE_COLOUR_INFER || traits.colour > SLUICE_COLOUR_CLEAR) {
        misbehaves(component,
                   fmt::format("its autocast category (colour) is {}; infer, allow, deny and clear are 0 to 3",
                               traits.colour));
    }
    if ((traits.flags & ~kFlags) != 0) {
        misbehaves(component,
                   fmt::format("it sets flags {:#x}, which this host does not know", traits.flags & ~kFlags));
    }
    if (traits.label_classes < 0) {
        misbehaves(component, fmt::format("it has {} classes of labels; 0 or more is right", traits.label_classes));
    }
    if (traits.role == SLUICE_ROLE_METRIC && !has_finalize) {
        misbehaves(component, "it is a metric and has no finalize()");
    }
}

// Collects what infer() reports.
class ShapeSink {
public:
    ShapeSink(const Component& component, Extents extents) : component_(component), extents_(extents) {}
    [[nodiscard]] const sluice_layer_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    LayerShape shape;

private:
    static ShapeSink& from(const sluice_layer_sink* sink) { return *static_cast<ShapeSink*>(sink->impl); }

    static void on_output(const sluice_layer_sink* sink, const sluice_tensor_spec* spec) noexcept {
        from(sink).fence.run([&] { from(sink).add(*spec); });
    }
    static void on_parameter(const sluice_layer_sink* sink, const sluice_parameter* parameter) noexcept {
        from(sink).fence.run([&] { from(sink).add(*parameter); });
    }
    static void on_state(const sluice_layer_sink* sink, const sluice_layer_state* state) noexcept {
        from(sink).fence.run([&] { from(sink).add(*state); });
    }
    static void on_flops(const sluice_layer_sink* sink, double forward) noexcept { from(sink).shape.flops = forward; }

    void add(const sluice_tensor_spec& spec) {
        check_spec(component_, spec, extents_, fmt::format("output {}", shape.outputs.size()));
        shape.outputs.push_back(spec);
    }
    void add(const sluice_parameter& parameter) {
        std::string name = copy_name(component_, parameter.name, "parameter", shape.parameters);
        check_trained(parameter.spec, "parameter '" + name + "'");
        check_reserved(component_, parameter.reserved, "parameter '" + name + "'");
        if (parameter.initializer < SLUICE_INIT_ZEROS || parameter.initializer > SLUICE_INIT_HE_NORMAL) {
            misbehaves(component_,
                       fmt::format("parameter '{}' has the unknown initializer {}", name, parameter.initializer));
        }
        shape.parameters.push_back({std::move(name), parameter.spec, parameter.initializer, parameter.argument,
                                    parameter.fan_in, parameter.fan_out});
    }
    void add(const sluice_layer_state& state) {
        std::string name = copy_name(component_, state.name, "state", shape.states);
        check_trained(state.spec, "state '" + name + "'");
        shape.states.push_back({std::move(name), state.spec, state.initial});
    }
    void check_trained(const sluice_tensor_spec& spec, const std::string& what) const {
        check_spec(component_, spec, Extents::known, what);
        if (!(spec.dtype == kFloat32)) {
            misbehaves(component_, fmt::format("{} is {}; float32 is right", what, to_string(spec)));
        }
    }

    const Component& component_;
    Extents extents_;
    const sluice_layer_sink abi_{sizeof(sluice_layer_sink), this, on_output, on_parameter, on_state, on_flops};
};

// A loss must have one output [N, 2] float32, a metric one output [N, K] float32.
void check_outputs(const Component& component, std::int32_t role, const LayerShape& shape) {
    if (shape.outputs.empty()) {
        misbehaves(component, "it reports no output");
    }
    if (role == SLUICE_ROLE_LAYER) {
        return;
    }
    const sluice_tensor_spec& only = shape.outputs.front();
    const bool right = shape.outputs.size() == 1 && only.rank == 2 && only.dtype == kFloat32 &&
                       (role == SLUICE_ROLE_METRIC || only.shape[1] == 2);
    if (!right) {
        misbehaves(component, fmt::format("it reports {} outputs, the first of {}; one of [N, {}] float32 is right",
                                          shape.outputs.size(), to_string(only), role == SLUICE_ROLE_LOSS ? "2" : "K"));
    }
}

}  // namespace

Layer::Layer(const Component& component, const Table& options, const std::string& where)
    : object_(make_object<sluice_layer>(component, options, where)) {
    traits_.struct_size = sizeof(traits_);
    call(component, where, object_.table()->traits, object_.self(), &traits_);
    check_traits(component, traits_, object_.table()->finalize != nullptr);
}

LayerShape Layer::infer(std::span<const sluice_tensor_spec> inputs, const std::string& where) const {
    const Component& component = object_.component();
    if (inputs.size() < traits_.min_inputs || inputs.size() > traits_.max_inputs) {
        const std::string right = traits_.min_inputs == traits_.max_inputs
                                      ? std::to_string(traits_.min_inputs)
                                      : fmt::format("{} to {}", traits_.min_inputs, traits_.max_inputs);
        throw Error(Exit::config,
                    fmt::format("{}: has {}; {} {} takes {}", where, counted(inputs.size(), "input"),
                                to_string(component.manifest->kind), component.manifest->provides, right));
    }
    const bool unknown = std::ranges::any_of(
        inputs, [](const sluice_tensor_spec& spec) { return std::ranges::count(shape_of(spec), -1) > 0; });
    ShapeSink sink(component, unknown ? Extents::maybe_unknown : Extents::known);
    call_fenced(sink.fence, component, where, object_.table()->infer, object_.self(), inputs.data(),
                static_cast<std::uint32_t>(inputs.size()), sink.abi());
    check_outputs(component, traits_.role, sink.shape);
    if (!(sink.shape.flops >= 0.0) || std::isinf(sink.shape.flops)) {
        misbehaves(component,
                   fmt::format("its cost is {} operations; a finite number of 0 or more is needed", sink.shape.flops));
    }
    return std::move(sink.shape);
}

double Layer::finalize(std::span<const double> sums) const {
    const Component& component = object_.component();
    if (object_.table()->finalize == nullptr) {
        misbehaves(component, "it has no finalize() and was asked for a metric's value");
    }
    double value = 0.0;
    call(component, fmt::format("metric '{}'", component.manifest->provides), object_.table()->finalize, object_.self(),
         sums.data(), static_cast<std::uint32_t>(sums.size()), &value);
    return value;
}

}  // namespace sluice::registry
