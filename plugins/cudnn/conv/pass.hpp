// One direction of a convolution, ready to be put on a stream.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "conv/layout.hpp"
#include "graph/plan.hpp"

namespace sluice::cudnn {

// Device memory of a problem's tensors; what the direction computes is written.
struct ConvMemory {
    const void* x = nullptr;
    const void* w = nullptr;
    const void* y = nullptr;
    const float* bias = nullptr;          // for what stands apart of the graph
    const void* bias_in_graph = nullptr;  // of the image's type
    float* sums = nullptr;                // [2, K]: of the filters' numbers, and of their squares
};

// Copies share what cuDNN made; each launch brings its own memory.
class ConvPass {
public:
    // apart: bias and relu are a pass of our own over the image that cuDNN wrote, and no part of the plan's graph,
    // which takes a bias of the image's type only. Sums apart are left to the caller.
    ConvPass(const ConvProblem& problem, bool apart, std::shared_ptr<const ExecutionPlan> plan);

    // Of the plan, and of the enlarged image or its gradient.
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    // Whether it reads a bias, and from where.
    [[nodiscard]] bool reads_bias_in_graph() const { return problem_.bias && !apart_; }
    [[nodiscard]] bool writes_sums() const { return problem_.sums && !apart_; }
    [[nodiscard]] const ConvProblem& problem() const { return problem_; }
    [[nodiscard]] bool is_apart() const { return apart_; }
    [[nodiscard]] const EngineChoice& choice() const { return plan_->choice(); }
    // From which make_pass() makes the same: "apart, engine 34: 2=5".
    [[nodiscard]] std::string text() const;
    // "engine 34 in 0.0625 ms, 498.2 TFLOP/s, bias apart": all of the run, and the arithmetic that cuDNN is asked for;
    // of what was not measured "engine 34, bias apart".
    [[nodiscard]] std::string note() const;
    // Of one run; nothing where it was not measured.
    [[nodiscard]] std::optional<float> milliseconds() const { return milliseconds_; }
    void set_milliseconds(float milliseconds) { milliseconds_ = milliseconds; }
    void run(const Handle& handle, void* stream, const ConvMemory& memory, void* workspace) const;

private:
    ConvProblem problem_;
    bool apart_;
    std::shared_ptr<const ExecutionPlan> plan_;  // of all copies: making one takes cuDNN up to a second
    Layout layout_;
    std::uint64_t enlarged_ = 0;  // in the workspace
    std::optional<float> milliseconds_;
};

// If both were measured.
[[nodiscard]] bool is_faster(const ConvPass& pass, const ConvPass& other);

// The problem as the plan's graph has it. apart: as for ConvPass.
[[nodiscard]] ConvProblem graph_problem(ConvProblem problem, bool apart);

// Nothing where the text is of another version.
std::unique_ptr<ConvPass> make_pass(const ConvProblem& problem, const Target& target, std::string_view text);

}  // namespace sluice::cudnn
