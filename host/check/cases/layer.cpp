// Cases for layer types: what infer() reports for any inputs.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "check/cases/sized_struct.hpp"
#include "check/contract/cases.hpp"
#include "check/numerics/check_kernels.hpp"
#include "registry/objects/layer.hpp"

namespace sluice::check {
namespace {

using Inputs = std::vector<sluice_tensor_spec>;

const Inputs& inputs_of(Trial& trial) {
    if (trial.setup().inputs.empty()) {
        throw CaseSkipped("the manifest has no [[component.check]] with inputs");
    }
    return trial.setup().inputs;
}

std::string text_of(const Inputs& inputs) {
    std::string text;
    for (const sluice_tensor_spec& spec : inputs) {
        text += (text.empty() ? "" : ", ") + to_string(spec);
    }
    return text;
}

registry::Layer open_layer(Trial& trial) { return {trial.component(), trial.options(), "layer"}; }

std::string text_of(const registry::LayerShape& shape) {
    std::string text = text_of(shape.outputs);
    for (const registry::ParameterInfo& one : shape.parameters) {
        text += fmt::format("; {} {} {} {} {} {}", one.name, to_string(one.spec), one.initializer, one.argument,
                            one.fan_in, one.fan_out);
    }
    for (const registry::StateInfo& one : shape.states) {
        text += fmt::format("; {} {} {}", one.name, to_string(one.spec), one.initial);
    }
    return fmt::format("{}; {}", text, shape.flops);
}

class LayerTestObject final : public TestObject {
public:
    explicit LayerTestObject(Trial& trial) : layer_(open_layer(trial)), inputs_(trial.setup().inputs) {}
    std::string use() override {
        return inputs_.empty() ? std::to_string(layer_.traits().flags) : text_of(layer_.infer(inputs_, "layer"));
    }

private:
    registry::Layer layer_;
    Inputs inputs_;
};

// The ABI's sink for infer(). It collects the reports as text.
struct RawLayerSink {
    explicit RawLayerSink(bool is_larger) : own(is_larger) {
        own.value.impl = this;
        own.value.add_output = [](const sluice_layer_sink* sink, const sluice_tensor_spec* spec) noexcept {
            from(sink).text += fmt::format("output {} ", spec->rank);
        };
        own.value.add_parameter = [](const sluice_layer_sink* sink, const sluice_parameter* parameter) noexcept {
            from(sink).text += fmt::format("parameter {} ", parameter->spec.rank);
        };
        own.value.add_state = [](const sluice_layer_sink* sink, const sluice_layer_state* state) noexcept {
            from(sink).text += fmt::format("state {} ", state->spec.rank);
        };
        own.value.set_flops = [](const sluice_layer_sink* sink, double flops) noexcept {
            from(sink).text += fmt::format("flops {} ", flops);
        };
    }
    static RawLayerSink& from(const sluice_layer_sink* sink) { return *static_cast<RawLayerSink*>(sink->impl); }
    SizedStruct<sluice_layer_sink> own;
    std::string text;
};

Answer infer(Trial& trial, void* self, const Inputs& inputs, RawLayerSink& sink) {
    return ask(trial.table<sluice_layer>().infer, self, inputs.data(), static_cast<std::uint32_t>(inputs.size()),
               static_cast<const sluice_layer_sink*>(&sink.own.value));
}

void* make_raw(Trial& trial) {
    void* self = nullptr;
    const Answer answer = trial.create(trial.options(), self);
    expect(answer.status == SLUICE_OK, answer.message);
    return self;
}

void infers_alike(Trial& trial) {
    const Inputs& inputs = inputs_of(trial);
    const registry::Layer layer = open_layer(trial);
    const std::string first = text_of(layer.infer(inputs, "layer"));
    expect(text_of(layer.infer(inputs, "layer")) == first, "infer() reports another result the second time");
    Inputs larger = inputs;
    for (sluice_tensor_spec& spec : larger) {
        spec.shape[0] += spec.rank > 0 ? 1 : 0;
    }
    try {
        trial.doing(text_of(layer.infer(larger, "layer")));
    } catch (const std::exception&) {
        // the layer may need its own batch size
    }
    expect(text_of(layer.infer(inputs, "layer")) == first, "infer() reports another result after other inputs");
}

void expect_inputs_taken_or_refused(Trial& trial, void* self, const Inputs& inputs) {
    const std::string call = fmt::format("infer() of {}", text_of(inputs));
    trial.doing(call);
    RawLayerSink sink(false);
    const Answer answer = infer(trial, self, inputs, sink);
    trial.expect_reason(answer, call);
    expect(answer.status == SLUICE_OK || answer.status == SLUICE_INVALID || answer.status == SLUICE_UNSUPPORTED,
           fmt::format("{} returns status {} ('{}'); expected SLUICE_INVALID or SLUICE_UNSUPPORTED for a wrong input",
                       call, answer.status, answer.message));
}

void takes_or_refuses_inputs(Trial& trial) {
    const Inputs& inputs = inputs_of(trial);
    void* const self = make_raw(trial);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::int32_t axis = 0; axis < inputs[i].rank; ++axis) {
            for (const std::int64_t extent :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{7}, std::int64_t{1} << 40}) {
                Inputs odd = inputs;
                odd[i].shape[axis] = extent;
                expect_inputs_taken_or_refused(trial, self, odd);
            }
        }
        for (std::int32_t rank = 0; rank <= SLUICE_MAX_RANK; ++rank) {
            Inputs odd = inputs;
            odd[i].rank = rank;
            for (std::int32_t axis = 0; axis < SLUICE_MAX_RANK; ++axis) {
                odd[i].shape[axis] = axis < rank ? std::max<std::int64_t>(odd[i].shape[axis], 1) : 0;
            }
            expect_inputs_taken_or_refused(trial, self, odd);
        }
        for (const sluice_dtype dtype : {kUint8, kInt64, kFloat16, kFloat64, sluice_dtype{77, 4, 1}}) {
            Inputs odd = inputs;
            odd[i].dtype = dtype;
            expect_inputs_taken_or_refused(trial, self, odd);
        }
    }
    trial.destroy(self);
}

void layer_takes_structs_of_any_size(Trial& trial) {
    void* const self = make_raw(trial);
    for (const bool is_larger : {false, true}) {
        SizedStruct<sluice_layer_traits> traits(is_larger);
        expect(ask(trial.table<sluice_layer>().traits, self, &traits.value).status == SLUICE_OK && traits.is_intact(),
               "traits() writes past the struct_size of sluice_layer_traits, or changes struct_size");
    }
    if (!trial.setup().inputs.empty()) {
        RawLayerSink small(false);
        RawLayerSink larger(true);
        expect(infer(trial, self, trial.setup().inputs, small).status ==
                       infer(trial, self, trial.setup().inputs, larger).status &&
                   small.text == larger.text,
               "infer() reports another result to a larger sluice_layer_sink");
    }
    trial.destroy(self);
}

void finalizes_any_sums(Trial& trial) {
    const registry::Layer layer = open_layer(trial);
    if (layer.traits().role != SLUICE_ROLE_METRIC) {
        throw CaseSkipped("the layer is no metric");
    }
    const auto outputs = layer.infer(inputs_of(trial), "layer").outputs;
    const auto count = static_cast<std::size_t>(outputs.front().shape[1]);
    void* const self = make_raw(trial);
    for (const double sum : {0.0, 1.0, 1e300}) {
        const std::string call = fmt::format("finalize() of sums of {}", sum);
        trial.doing(call);
        double value = 0.0;
        const std::vector<double> sums(count, sum);
        trial.expect_reason(
            ask(trial.table<sluice_layer>().finalize, self, sums.data(), static_cast<std::uint32_t>(count), &value),
            call);
    }
    trial.destroy(self);
}

std::unique_ptr<TestObject> make_layer_test_object(Trial& trial) { return std::make_unique<LayerTestObject>(trial); }

constexpr Case kLayerCases[] = {
    {"layer.infers", "infer() reports the same for the same inputs, regardless of earlier calls.", infers_alike},
    {"layer.inputs", "Inputs of any rank, type and extent, including 0 and -1, are accepted, or refused with a reason.",
     takes_or_refuses_inputs},
    {"layer.finalize", "A metric makes a number of any sums, including those of no samples, or says why not.",
     finalizes_any_sums},
    {"layer.struct_sizes",
     "Larger structs of a newer host are accepted, and nothing is written after their known part.",
     layer_takes_structs_of_any_size},
};

}  // namespace

const KindCases& layer_cases() {
    static constexpr KindCases kLayer{{make_layer_test_object, create_plain<sluice_layer>, destroy_plain<sluice_layer>},
                                      kLayerCases};
    return kLayer;
}

}  // namespace sluice::check
