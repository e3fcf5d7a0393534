#include "conv/planner.hpp"

#include <algorithm>
#include <charconv>

#include "conv/trial.hpp"

namespace sluice::cudnn {
namespace {

using Passes = std::vector<std::unique_ptr<ConvPass>>;

constexpr std::size_t kMostPasses = 6;      // by one of the heuristics: making one costs up to a second
constexpr std::size_t kMostProposals = 24;  // of which some cannot be made

constexpr std::string_view kUnit = " ms";

// What is remembered: "engine 34: 2=5, 0.0625 ms", or without a time.
std::string remembered_text(const ConvPass& pass) {
    if (!pass.milliseconds()) {
        return pass.text();
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *pass.milliseconds(),
                                   std::chars_format::general, 4);
    return pass.text() + ", " + std::string(digits.data(), end.ptr) + std::string(kUnit);
}

// Nothing where the text is of another version.
std::unique_ptr<ConvPass> make_remembered_pass(const ConvProblem& problem, const Target& target,
                                               std::string_view text) {
    if (!text.ends_with(kUnit)) {
        return make_pass(problem, target, text);
    }
    text.remove_suffix(kUnit.size());
    const std::size_t comma = text.rfind(", ");
    if (comma == std::string_view::npos) {
        return nullptr;
    }
    const std::string_view number = text.substr(comma + 2);
    float milliseconds = 0.0F;
    const auto [stopped, error] = std::from_chars(number.begin(), number.end(), milliseconds);
    auto pass = make_pass(problem, target, text.substr(0, comma));
    if (pass == nullptr || error != std::errc() || stopped != number.end()) {
        return nullptr;
    }
    pass->set_milliseconds(milliseconds);
    return pass;
}

bool is_there(const Passes& passes, const std::string& text) {
    return std::any_of(passes.begin(), passes.end(), [&](const auto& pass) { return pass->text() == text; });
}

struct Search {
    const ConvProblem& problem;
    const Target& target;
    const EngineLimits& limits;
    std::uint64_t workspace;

    void add(const ConvGraph& graph, bool apart, cudnnBackendHeurMode_t mode, Passes& passes) const {
        std::size_t added = 0;
        for (const EngineChoice& choice : propose(graph.graph(), target, limits, mode, kMostProposals)) {
            auto plan = added < kMostPasses ? ExecutionPlan::make(graph.graph(), target, choice) : nullptr;
            if (plan == nullptr || plan->workspace() > workspace) {
                continue;
            }
            auto pass = std::make_unique<ConvPass>(problem, apart, std::move(plan));
            if (!is_there(passes, pass->text())) {
                passes.push_back(std::move(pass));
                ++added;
            }
        }
    }

    void add_all(bool apart, Passes& passes) const {
        const ConvGraph graph(apart ? without_epilogue(problem) : problem, target);
        add(graph, apart, CUDNN_HEUR_MODE_A, passes);
        add(graph, apart, CUDNN_HEUR_MODE_B, passes);
        if (passes.empty()) {
            add(graph, apart, CUDNN_HEUR_MODE_FALLBACK, passes);
        }
    }
};

}  // namespace

// A fused epilogue is compiled at run time, by other engines than those that are fastest without: both are tried.
Passes passes_for(const ConvProblem& problem, const Target& target, const EngineLimits& limits,
                  std::uint64_t workspace) {
    const Search search{problem, target, limits, workspace};
    Passes passes;
    const bool has_epilogue = problem.has_epilogue();
    if (has_epilogue && problem.direction == Direction::forward) {  // cuDNN 9.19 fuses nothing behind the others
        try {
            search.add_all(false, passes);
        } catch (const sdk::Failure&) {
            // A graph that this cuDNN does not know.
        }
    }
    search.add_all(has_epilogue, passes);
    return passes;
}

std::optional<std::size_t> Planner::measure(const Passes& passes, bool timed) {
    const std::string problem = describe(passes.front()->problem());
    std::vector<std::string> failures;
    std::optional<std::size_t> best;
    try {
        best = fastest(handle(), passes, timed, failures);
    } catch (const sdk::Failure& failure) {
        if (failure.status() != SLUICE_NO_MEMORY) {
            throw;
        }
        options_.tell(problem + " is computed by " + passes.front()->text() + ", not measured: " + failure.what());
        return std::nullopt;
    }
    if (!best) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "none of cuDNN's " + std::to_string(passes.size()) +
                                                   " ways to compute " + problem + " works; " + failures.front());
    }
    for (const std::string& failure : failures) {
        options_.tell(problem + " is not computed by " + failure);
    }
    return best;
}

const Handle& Planner::handle() {
    if (!handle_) {
        handle_.emplace(options_.gpu);
    }
    return *handle_;
}

std::unique_ptr<ConvPass> Planner::plan(const ConvProblem& problem, const sdk::KernelSink& sink, bool deterministic,
                                        bool timed) {
    handle().select();
    const EngineLimits limits{.deterministic = deterministic,
                              .exact = problem.image == CUDNN_DATA_FLOAT && !options_.tf32};
    const std::string key = handle().name() + ", cudnn " + std::to_string(cudnnGetVersion()) + ", " +
                            describe(problem) + (limits.deterministic ? ", deterministic" : "") +
                            (limits.exact ? ", exact" : "") + ", workspace " + std::to_string(options_.workspace);
    if (const std::string_view known = sink.recall(key); !known.empty()) {
        auto pass = make_remembered_pass(problem, handle(), known);
        if (pass != nullptr && (!timed || pass->milliseconds() || !sink.may_measure())) {
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
    const std::optional<std::size_t> best = measure(passes, timed);
    if (best) {
        sink.remember(key, remembered_text(*passes[*best]));
    }
    return std::move(passes[best.value_or(0)]);
}

}  // namespace sluice::cudnn
