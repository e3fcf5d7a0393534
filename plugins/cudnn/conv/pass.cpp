#include "conv/pass.hpp"

#include <array>
#include <utility>

#include "conv/bias.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::string_view kApart = "apart, ";

}  // namespace

ConvPass::ConvPass(const ConvProblem& problem, bool apart, std::unique_ptr<ExecutionPlan> plan)
    : problem_(problem), apart_(apart), plan_(std::move(plan)) {}

std::string ConvPass::text() const { return (apart_ ? std::string(kApart) : "") + plan_->choice().text(); }

std::string ConvPass::note() const {
    return "engine " + std::to_string(plan_->choice().engine) + (apart_ ? ", bias apart" : "");
}

void ConvPass::run(const Handle& handle, void* stream, const ConvMemory& memory, void* workspace) const {
    const std::array<ExecutionPlan::Binding, 4> bindings = {{{Operand::x, memory.x},
                                                             {Operand::w, memory.w},
                                                             {Operand::y, memory.y},
                                                             {Operand::bias, memory.bias_in_graph}}};
    handle.use(stream);
    plan_->run(handle, std::span(bindings).first(reads_bias_in_graph() ? 4 : 3), workspace);
    if (apart_) {
        const bool is_forward = problem_.direction == Direction::forward;
        const std::int64_t channels = is_forward ? problem_.filters : problem_.channels;
        const std::int64_t count = is_forward ? y_count(problem_) : x_count(problem_);
        add_bias(stream, problem_.image, const_cast<void*>(is_forward ? memory.y : memory.x), count / channels,
                 channels, problem_.bias ? memory.bias : nullptr, problem_.relu);
    }
}

ConvProblem without_epilogue(ConvProblem problem) {
    problem.bias = false;
    problem.relu = false;
    return problem;
}

std::unique_ptr<ConvPass> make_pass(const ConvProblem& problem, const Target& target, std::string_view text) {
    const bool apart = text.starts_with(kApart);
    const auto choice = EngineChoice::of(apart ? text.substr(kApart.size()) : text);
    if (!choice || (apart && !problem.bias && !problem.relu)) {
        return nullptr;
    }
    const ConvGraph graph(apart ? without_epilogue(problem) : problem, target);
    auto plan = ExecutionPlan::make(graph.graph(), target, *choice);
    return plan == nullptr ? nullptr : std::make_unique<ConvPass>(problem, apart, std::move(plan));
}

}  // namespace sluice::cudnn
