#include "engines.hpp"

#include <algorithm>

namespace emulated::dnn {
namespace {

constexpr std::int64_t kMostTile = 3;

constexpr cudnnBackendNumericalNote_t kTensorCoreNotes[] = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE};
constexpr cudnnBackendNumericalNote_t kScatteredNotes[] = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC};

// Like cuDNN 9.19, the emulation computes no float32 gradient of kernels from 16 bits.
bool has_one_type(const Convolution& convolution) {
    const cudnnDataType_t type = convolution.direction == Direction::forward ? convolution.x.type : convolution.y.type;
    const auto is_other = [&](const Tensor& tensor) { return !tensor.is_virtual && tensor.type != type; };
    return !is_other(convolution.x) && !is_other(convolution.w) && !is_other(convolution.y);
}

// Like cuDNN 9.19, the emulation adds no numbers of another type than the image's, and fuses nothing after a gradient.
bool has_known_epilogue(const Graph& graph) {
    const cudnnDataType_t type = graph.convolution.x.type;
    return graph.pointwise.empty() ||
           (graph.convolution.direction == Direction::forward &&
            std::all_of(graph.pointwise.begin(), graph.pointwise.end(),
                        [&](const Pointwise& operation) { return !operation.b || operation.b->type == type; }));
}

// The conditions are those of cuDNN 9.19 on GPUs of compute capability 8.0 and 9.0.
bool may_sum(const Graph& graph) {
    constexpr std::int64_t kMultiple = 8;  // of channels and filters
    constexpr std::int64_t kMostTaps = 32;
    const Convolution& c = graph.convolution;
    return c.direction == Direction::forward && graph.pointwise.empty() && c.y.type == CUDNN_DATA_HALF &&
           c.groups() == 1 && c.x.dims[1] % kMultiple == 0 && c.y.dims[1] % kMultiple == 0 && c.before == c.after &&
           c.w.dims[2] * c.w.dims[3] <= kMostTaps;
}

bool computes(EngineNumber engine, const Graph& graph) {
    if (!has_one_type(graph.convolution) || !has_known_epilogue(graph) ||
        graph.sums.has_value() != (engine == EngineNumber::summing)) {
        return false;
    }
    switch (engine) {
        case EngineNumber::plain:
        case EngineNumber::tensor_core:
            return graph.pointwise.empty();
        case EngineNumber::scattered:
            return graph.pointwise.empty() && graph.convolution.direction != Direction::forward;
        case EngineNumber::fused:
            return !graph.pointwise.empty();
        case EngineNumber::summing:
            return may_sum(graph);
    }
    return false;
}

}  // namespace

Trials& trials() {
    static Trials only;
    return only;
}

EngineNumber find_engine(std::int64_t index, const Graph& graph) {
    const auto engine = static_cast<EngineNumber>(index);
    if (index < 0 || index > static_cast<std::int64_t>(EngineNumber::summing)) {
        fail(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "there is no engine " + std::to_string(index));
    }
    if (!computes(engine, graph)) {
        fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN,
             "engine " + std::to_string(index) + " does not compute this graph");
    }
    return engine;
}

std::span<const cudnnBackendNumericalNote_t> notes_of(EngineNumber engine) {
    switch (engine) {
        case EngineNumber::plain:
            break;
        case EngineNumber::tensor_core:
        case EngineNumber::fused:
        case EngineNumber::summing:
            return kTensorCoreNotes;
        case EngineNumber::scattered:
            return kScatteredNotes;
    }
    return {};
}

void expect_knob(EngineNumber engine, std::int64_t type, std::int64_t value) {
    if (engine != EngineNumber::tensor_core || type != CUDNN_KNOB_TYPE_TILE_SIZE) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "the engine has no knob " + std::to_string(type));
    }
    if (value < 1 || value > kMostTile) {
        fail(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "a knob cannot have the value " + std::to_string(value));
    }
}

std::int64_t workspace_of(EngineNumber engine, const Graph& graph) {
    constexpr std::int64_t kCounters = 1000;
    switch (engine) {
        case EngineNumber::plain:
        case EngineNumber::fused:
            break;
        case EngineNumber::summing:
            return 2 * graph.sums->sums.count() * static_cast<std::int64_t>(sizeof(float));
        case EngineNumber::tensor_core:
            return graph.result().count() * static_cast<std::int64_t>(sizeof(float));
        case EngineNumber::scattered:
            return kCounters;
    }
    return 0;
}

std::vector<Configuration> propose(const Graph& graph, cudnnBackendHeurMode_t mode) {
    std::vector<Configuration> all;
    switch (mode) {
        case CUDNN_HEUR_MODE_A:
        case CUDNN_HEUR_MODE_INSTANT:
            all = {{EngineNumber::tensor_core, {{CUDNN_KNOB_TYPE_TILE_SIZE, 2}}},
                   {EngineNumber::plain, {}},
                   {EngineNumber::fused, {}},
                   {EngineNumber::summing, {}}};
            break;
        case CUDNN_HEUR_MODE_B:
            all = {{EngineNumber::scattered, {}},
                   {EngineNumber::tensor_core, {{CUDNN_KNOB_TYPE_TILE_SIZE, 2}}},
                   {EngineNumber::tensor_core, {{CUDNN_KNOB_TYPE_TILE_SIZE, 3}}}};
            break;
        case CUDNN_HEUR_MODE_FALLBACK:
            all = {{EngineNumber::plain, {}}};
            break;
    }
    std::erase_if(all, [&](const Configuration& one) { return !computes(one.engine, graph); });
    return all;
}

}  // namespace emulated::dnn
