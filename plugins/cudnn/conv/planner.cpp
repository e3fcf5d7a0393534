#include "conv/planner.hpp"

#include "conv/trial.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::size_t kMostPasses = 12;     // that are measured; making one costs up to a second
constexpr std::size_t kMostProposals = 40;  // of which some cannot be made

void add_passes(const ConvProblem& problem, bool apart, const Target& target, const EngineLimits& limits,
                std::uint64_t workspace, std::size_t most, std::vector<std::unique_ptr<ConvPass>>& passes) {
    const ConvGraph graph(apart ? without_epilogue(problem) : problem, target);
    for (const EngineChoice& choice : propose(graph.graph(), target, limits, kMostProposals)) {
        if (passes.size() >= most) {
            return;
        }
        auto plan = ExecutionPlan::make(graph.graph(), target, choice);
        if (plan != nullptr && plan->workspace() <= workspace) {
            passes.push_back(std::make_unique<ConvPass>(problem, apart, std::move(plan)));
        }
    }
}

}  // namespace

// Fused epilogues are compiled at run time, by other engines than those that are fastest without: both are candidates.
std::vector<std::unique_ptr<ConvPass>> passes_for(const ConvProblem& problem, const Target& target,
                                                  const EngineLimits& limits, std::uint64_t workspace) {
    std::vector<std::unique_ptr<ConvPass>> passes;
    const bool has_epilogue = problem.bias || problem.relu;
    if (has_epilogue) {
        try {
            add_passes(problem, false, target, limits, workspace, kMostPasses / 2, passes);
        } catch (const sdk::Failure&) {
            // A graph that cuDNN does not fuse.
        }
    }
    add_passes(problem, has_epilogue, target, limits, workspace, kMostPasses, passes);
    return passes;
}

const Handle& Planner::handle() {
    if (!handle_) {
        handle_.emplace(options_.gpu);
    }
    return *handle_;
}

std::unique_ptr<ConvPass> Planner::plan(const ConvProblem& problem, const sdk::KernelSink& sink, bool deterministic) {
    const EngineLimits limits{.deterministic = deterministic,
                              .exact = problem.image == CUDNN_DATA_FLOAT && !options_.tf32};
    const std::string key = handle().name() + ", cudnn " + std::to_string(cudnnGetVersion()) + ", " +
                            describe(problem) + (limits.deterministic ? ", deterministic" : "") +
                            (limits.exact ? ", exact" : "") + ", workspace " + std::to_string(options_.workspace);
    if (const std::string_view known = sink.recall(key); !known.empty()) {
        if (auto pass = make_pass(problem, handle(), known)) {
            return pass;
        }
    }
    auto passes = passes_for(problem, handle(), limits, options_.workspace);
    if (passes.empty()) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "cuDNN " + std::to_string(cudnnGetVersion()) +
                                                   " has no way to compute " + describe(problem) +
                                                   (deterministic ? ", deterministic" : ""));
    }
    if (!sink.may_measure()) {
        return std::move(passes.front());
    }
    auto& best = passes[passes.size() == 1 ? 0 : fastest(problem, handle(), passes)];
    sink.remember(key, best->text());
    return std::move(best);
}

}  // namespace sluice::cudnn
