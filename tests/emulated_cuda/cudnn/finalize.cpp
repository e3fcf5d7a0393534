#include "finalize.hpp"

#include <algorithm>

#include "engines.hpp"

namespace emulated::dnn {
namespace {

void check_convolution(const Description& shape) {
    const auto axes = static_cast<std::size_t>(shape.integer(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
    if (axes != 2) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "only convolutions over 2 dimensions are emulated");
    }
    const auto expect = [&](cudnnBackendAttributeName_t name, std::int64_t least) {
        const std::vector<std::int64_t>& values = shape.integers(name);
        if (values.size() != axes || std::ranges::any_of(values, [&](std::int64_t n) { return n < least; })) {
            fail(CUDNN_STATUS_BAD_PARAM, "attribute " + std::to_string(name) + " of a convolution takes 2 numbers of " +
                                             std::to_string(least) + " or more");
        }
    };
    expect(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0);
    expect(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0);
    expect(CUDNN_ATTR_CONVOLUTION_DILATIONS, 1);
    expect(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1);
    if (shape.integer(CUDNN_ATTR_CONVOLUTION_COMP_TYPE) != CUDNN_DATA_FLOAT ||
        shape.integer(CUDNN_ATTR_CONVOLUTION_CONV_MODE) != CUDNN_CROSS_CORRELATION) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "only cross-correlations summed in float32 are emulated");
    }
}

void check_pointwise(const Description& shape) {
    const std::int64_t mode = shape.integer(CUDNN_ATTR_POINTWISE_MODE);
    if (mode != CUDNN_POINTWISE_ADD && mode != CUDNN_POINTWISE_MUL && mode != CUDNN_POINTWISE_RELU_FWD) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "this operation on elements is not emulated");
    }
}

void check_tensor(const Description& tensor) {
    const Tensor read = read_tensor(tensor);
    const auto size = static_cast<std::int64_t>(size_of(read.type));
    if (read.alignment < size || read.alignment % size != 0) {
        fail(CUDNN_STATUS_BAD_PARAM, "the alignment of a tensor is no multiple of the size of its elements");
    }
}

std::shared_ptr<Description> make(cudnnBackendDescriptorType_t kind) { return std::make_shared<Description>(kind); }

Part describe_engine(const Part& graph, EngineNumber number) {
    const auto engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine->put(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, {CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}, {}, {graph}});
    engine->put(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {CUDNN_TYPE_INT64, {static_cast<std::int64_t>(number)}, {}, {}, {}});
    finalize(*engine);
    return engine;
}

Part describe_knob(cudnnBackendKnobType_t type, std::int64_t value) {
    const auto knob = make(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    knob->put(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, {CUDNN_TYPE_KNOB_TYPE, {type}, {}, {}, {}});
    knob->put(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, {CUDNN_TYPE_INT64, {value}, {}, {}, {}});
    finalize(*knob);
    return knob;
}

Part describe_configuration(const Part& graph, const Configuration& configuration) {
    const auto made = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    made->put(CUDNN_ATTR_ENGINECFG_ENGINE,
              {CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}, {}, {describe_engine(graph, configuration.engine)}});
    Values knobs{CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}, {}, {}};
    for (const auto& [type, value] : configuration.knobs) {
        knobs.parts.push_back(describe_knob(type, value));
    }
    made->put(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, std::move(knobs));
    finalize(*made);
    return made;
}

void complete_heuristics(Description& heuristics) {
    const Part& graph = heuristics.parts(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).front();
    const auto mode = static_cast<cudnnBackendHeurMode_t>(heuristics.integer(CUDNN_ATTR_ENGINEHEUR_MODE));
    Values results{CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}, {}, {}};
    for (const Configuration& configuration : propose(read_graph(*graph), mode)) {
        results.parts.push_back(describe_configuration(graph, configuration));
    }
    if (results.parts.empty()) {
        fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "this mode of the heuristics knows no engine for the graph");
    }
    heuristics.put(CUDNN_ATTR_ENGINEHEUR_RESULTS, std::move(results));
}

EngineNumber engine_of(const Description& engine) {
    return find_engine(engine.integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX),
                       read_graph(engine.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH)));
}

void complete_engine(Description& engine) {
    const auto notes = notes_of(engine_of(engine));
    engine.put(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, {CUDNN_TYPE_NUMERICAL_NOTE, {notes.begin(), notes.end()}, {}, {}, {}});
}

void check_configuration(const Description& configuration) {
    if (configuration.has(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)) {
        for (const Part& knob : configuration.parts(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)) {
            expect_knob(engine_of(configuration.part(CUDNN_ATTR_ENGINECFG_ENGINE)),
                        knob->integer(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE),
                        knob->integer(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
        }
    }
}

void complete_plan(Description& plan) {
    const Description& engine = plan.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).part(CUDNN_ATTR_ENGINECFG_ENGINE);
    const std::int64_t bytes =
        workspace_of(engine_of(engine), read_graph(engine.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH)));
    plan.put(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, {CUDNN_TYPE_INT64, {bytes}, {}, {}, {}});
    const auto fault = trials().faults.find(engine_of(engine));
    if (fault != trials().faults.end() && fault->second == Fault::making) {
        fail(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "a test makes the plan find no memory");
    }
    ++trials().made;
}

void check_pack(const Description& pack) {
    std::vector<std::int64_t> ids = pack.integers(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    if (ids.size() != pack.pointers(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).size()) {
        fail(CUDNN_STATUS_BAD_PARAM, "the number of pointers differs from the number of tensor ids");
    }
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end()) {
        fail(CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES, "a tensor has two pointers");
    }
}

void check_and_complete(Description& description) {
    switch (description.kind()) {
        case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
            return check_tensor(description);
        case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
            return check_convolution(description);
        case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
            return check_pointwise(description);
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
            read_convolution(description);
            return;
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
            read_pointwise(description);
            return;
        case CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR:
            read_channel_sums(description);
            return;
        case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
            read_graph(description);
            return;
        case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
            return complete_heuristics(description);
        case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
            return complete_engine(description);
        case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
            return check_configuration(description);
        case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
            return complete_plan(description);
        case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
            return check_pack(description);
        case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR:
            return;
    }
}

}  // namespace

void finalize(Description& description) {
    description.expect_required();
    check_and_complete(description);
    description.set_final();
}

}  // namespace emulated::dnn
