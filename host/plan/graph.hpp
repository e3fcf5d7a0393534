// The network as a graph of layers on tensors, with shapes and types. It names no kernels: these are chosen later.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/tensor.hpp"
#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/label_range.hpp"
#include "registry/objects/layer.hpp"
#include "sluice/kind/precision.h"

namespace sluice::plan {

using TensorId = std::size_t;

struct Tensor {
    sluice_tensor_spec spec{};
    std::vector<std::size_t> consumers;  // nodes
    bool wants_gradient = false;
    bool kept = false;  // the host reads it after the step
};

struct Node {
    std::string type;
    std::string path;  // "residual/2/conv2d"
    Origin origin;
    Table options;  // with defaults filled in
    std::shared_ptr<const registry::Layer> layer;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<std::size_t> parameters;  // indices into Graph::parameters
    std::vector<std::size_t> states;      // indices into Graph::states
    double flops = 0.0;
    std::size_t policy = 0;  // index into Toolbox::policies
    sluice_precision_choice precision{};
    std::string precision_reason{};  // why these types, for the listing
    bool has_backward = false;
};

// A tensor that the host fills before a step, by the name of its field.
struct Feed {
    std::string field;
    TensorId tensor = 0;
};

// A metric's accumulators, read after a step.
struct MetricOutput {
    std::string name;       // "psnr"; "input_psnr" if of_input
    bool of_input = false;  // the same metric of the input itself
    TensorId tensor = 0;
    std::shared_ptr<const registry::Layer> layer;
    // The metric of these sums over samples. A loss among the metrics gives its mean, which is NaN if no sample counts.
    [[nodiscard]] double value(std::span<const double> sums) const;
};

// A picture in 0..1, float32 NHWC, read after a step.
struct ImageOutput {
    std::string name;  // "input", "output", "target"
    TensorId tensor = 0;
};

// predict: input to picture, without target, loss and metrics. An evaluation of padded pictures has two plans: forward
// returns the raw prediction; judge has no model layers and reads a prediction from the field kPrediction.
enum class Mode { train, evaluate, predict, forward, judge };

// Parentheses distinguish it from the fields of sources and transforms.
inline constexpr const char* kPrediction = "(prediction)";

struct Graph {
    Mode mode = Mode::train;
    std::vector<Tensor> tensors;
    std::vector<Node> nodes;                          // in an order in which they can run
    std::vector<registry::ParameterInfo> parameters;  // names are paths: "stem/kernel"
    std::vector<registry::StateInfo> states;
    std::vector<Feed> feeds;
    std::vector<registry::LabelReader> labels;  // class-number inputs of loss and metrics
    TensorId prediction = 0;
    TensorId loss = 0;                  // [N, 2]: sum and weight of each sample
    std::vector<MetricOutput> metrics;  // evaluation only; those of the input follow, in the same order
    std::vector<ImageOutput> images;    // evaluation only
};

// Builds the graph for one batch of fields with these specs, [N, ...] each, without -1.
Graph build_graph(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
                  Mode mode);

// Rebuilds Tensor::consumers after a pass has added or removed nodes.
void index_consumers(Graph& graph);

// True if the layer sums over all replicas in training. For a graph, the first such layer; null: none.
bool joins_replicas(const Node& node);
const Node* joins_replicas(const Graph& graph);

}  // namespace sluice::plan
