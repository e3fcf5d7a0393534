#include "conv/search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice::cudnn {
namespace {

using Passes = std::vector<std::unique_ptr<ConvPass>>;

constexpr std::size_t kMostPasses = 6;      // from one heuristic
constexpr std::size_t kMostProposals = 24;  // some of them cannot be made

class Search {
public:
    Search(const ConvProblem& problem, const Target& target, const EngineLimits& limits, std::uint64_t workspace,
           std::size_t most, std::function<bool(const ConvPass&)> accepts)
        : problem_(problem),
          target_(target),
          limits_(limits),
          workspace_(workspace),
          most_(most),
          accepts_(std::move(accepts)) {}

    // The engines that compile a fused epilogue at run time differ from those that are fastest without one. Both are
    // tried.
    Passes run() {
        const bool has_epilogue = problem_.has_epilogue();
        if (has_epilogue && problem_.direction == Direction::forward) {  // cuDNN 9.19 fuses only after forward
            try {
                add_all(false);
            } catch (const sdk::Failure& failure) {
                if (failure.status() == SLUICE_NO_MEMORY) {
                    throw;
                }
                // This cuDNN does not support the fused graph.
            }
        }
        if (!is_done()) {
            add_all(has_epilogue);
        }
        return std::move(passes_);
    }

private:
    [[nodiscard]] bool is_done() const { return passes_.size() >= most_; }

    [[nodiscard]] bool is_there(const EngineChoice& choice, bool apart) const {
        return std::any_of(passes_.begin(), passes_.end(),
                           [&](const auto& pass) { return pass->is_apart() == apart && pass->choice() == choice; });
    }

    void add(const ConvGraph& graph, bool apart, cudnnBackendHeurMode_t mode) {
        std::size_t added = 0;
        for (const EngineChoice& choice : propose(graph.graph(), target_, limits_, mode, kMostProposals)) {
            if (is_done() || added == kMostPasses) {
                return;
            }
            auto plan = is_there(choice, apart) ? nullptr : ExecutionPlan::make(graph.graph(), target_, choice);
            if (plan == nullptr) {
                continue;
            }
            auto pass = std::make_unique<ConvPass>(problem_, apart, std::move(plan));
            if (pass->workspace() <= workspace_ && accepts_(*pass)) {
                passes_.push_back(std::move(pass));
                ++added;
            }
        }
    }

    void add_all(bool apart) {
        const ConvGraph graph(graph_problem(problem_, apart), target_);
        for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B}) {
            if (!is_done()) {
                add(graph, apart, mode);
            }
        }
        if (passes_.empty()) {
            add(graph, apart, CUDNN_HEUR_MODE_FALLBACK);
        }
    }

    const ConvProblem& problem_;
    const Target& target_;
    const EngineLimits& limits_;
    std::uint64_t workspace_;
    std::size_t most_;
    std::function<bool(const ConvPass&)> accepts_;
    Passes passes_;
};

}  // namespace

Passes passes_for(const ConvProblem& problem, const Target& target, const EngineLimits& limits,
                  std::uint64_t workspace) {
    const auto any = [](const ConvPass&) { return true; };
    return Search(problem, target, limits, workspace, std::numeric_limits<std::size_t>::max(), any).run();
}

std::unique_ptr<ConvPass> first_pass_for(const ConvProblem& problem, const Target& target, const EngineLimits& limits,
                                         std::uint64_t workspace, const std::function<bool(const ConvPass&)>& accepts) {
    Passes passes = Search(problem, target, limits, workspace, 1, accepts).run();
    return passes.empty() ? nullptr : std::move(passes.front());
}

}  // namespace sluice::cudnn
