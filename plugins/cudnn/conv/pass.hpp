// One direction of a convolution, ready to run on a stream.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "conv/layout.hpp"
#include "graph/plan.hpp"

namespace sluice::cudnn {

// Device memory of a problem's tensors. A run writes the tensor that its direction computes.
struct ConvMemory {
    const void* x = nullptr;
    const void* w = nullptr;
    const void* y = nullptr;
    const float* bias = nullptr;          // for a bias that is added outside the graph
    const void* bias_in_graph = nullptr;  // in the image's type
    float* sums = nullptr;                // [2, K]: for each filter, the sum of its numbers and of their squares
};

// Copies share cuDNN's plan. Each launch passes its own memory.
class ConvPass {
public:
    // apart: a pass of our own adds bias and relu to the image that cuDNN wrote, and the caller computes the sums. The
    // plan's graph has none of them; it would read a bias in the image's type only.
    ConvPass(const ConvProblem& problem, bool apart, std::shared_ptr<const ExecutionPlan> plan);

    // Bytes for the plan, and for the enlarged image or its gradient.
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    // True if the graph adds the bias, which it reads from ConvMemory::bias_in_graph.
    [[nodiscard]] bool reads_bias_in_graph() const { return problem_.bias && !apart_; }
    [[nodiscard]] bool writes_sums() const { return problem_.sums && !apart_; }
    [[nodiscard]] const ConvProblem& problem() const { return problem_; }
    [[nodiscard]] bool is_apart() const { return apart_; }
    [[nodiscard]] const EngineChoice& choice() const { return plan_->choice(); }
    // The text from which make_pass() makes an equal pass: "apart, engine 34: 2=5".
    [[nodiscard]] std::string text() const;
    // For reports: "engine 34 in 0.0625 ms, 498.2 TFLOP/s, bias apart". The time is that of the whole run; the rate
    // counts the arithmetic that cuDNN is asked for. Without a measurement it is "engine 34, bias apart".
    [[nodiscard]] std::string note() const;
    // Returns the floating-point operations of cuDNN in a run. Winograd's transforms do not count.
    [[nodiscard]] double done_flops() const;
    // The time of one run; empty: not measured.
    [[nodiscard]] std::optional<float> milliseconds() const { return milliseconds_; }
    void set_milliseconds(float milliseconds) { milliseconds_ = milliseconds; }
    void run(const Handle& handle, void* stream, const ConvMemory& memory, void* workspace) const;

private:
    ConvProblem problem_;
    bool apart_;
    std::shared_ptr<const ExecutionPlan> plan_;  // shared by all copies: cuDNN takes up to a second to make one
    Layout layout_;
    std::uint64_t enlarged_ = 0;  // offset in the workspace
    std::optional<float> milliseconds_;
};

// True if both were measured and `pass` took less time.
[[nodiscard]] bool is_faster(const ConvPass& pass, const ConvPass& other);

// Returns the problem that the plan's graph computes. apart: as for ConvPass.
[[nodiscard]] ConvProblem graph_problem(ConvProblem problem, bool apart);

// Returns NULL if the text does not fit, for example because another version wrote it.
std::unique_ptr<ConvPass> make_pass(const ConvProblem& problem, const Target& target, std::string_view text);

}  // namespace sluice::cudnn
