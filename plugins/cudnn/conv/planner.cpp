#include "conv/planner.hpp"

#include "conv/bench.hpp"
#include "conv/remembered.hpp"
#include "conv/search.hpp"
#include "conv/trial.hpp"

namespace sluice::cudnn {
namespace {

[[noreturn]] void refuse(const ConvProblem& problem, const EngineLimits& limits) {
    throw sdk::Failure(SLUICE_UNSUPPORTED, "cuDNN " + std::to_string(cudnnGetVersion()) + " cannot compute " +
                                               describe(problem) + (limits.deterministic ? ", deterministic" : ""));
}

}  // namespace

std::optional<std::size_t> Planner::measure(const std::vector<std::unique_ptr<ConvPass>>& passes) {
    const std::string problem = describe(passes.front()->problem());
    std::vector<std::string> failures;
    std::optional<std::size_t> best;
    try {
        best = fastest(handle(), passes, failures);
    } catch (const sdk::Failure& failure) {
        if (failure.status() != SLUICE_NO_MEMORY) {
            throw;
        }
        options_.log_line(problem + " uses " + passes.front()->text() + ", not measured: " + failure.what());
        return std::nullopt;
    }
    if (!best) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "none of cuDNN's " + std::to_string(passes.size()) + " plans for " +
                                                   problem + " works; the first fails: " + failures.front());
    }
    for (const std::string& failure : failures) {
        options_.log_line(problem + " does not use " + failure);
    }
    return best;
}

const Handle& Planner::handle() {
    if (!handle_) {
        handle_.emplace(options_.gpu);
    }
    return *handle_;
}

std::string Planner::key_of(const ConvProblem& problem, const EngineLimits& limits) {
    return handle().name() + ", cudnn " + std::to_string(cudnnGetVersion()) + ", " + describe(problem) +
           (limits.deterministic ? ", deterministic" : "") + (limits.exact ? ", direct float32" : "") + ", workspace " +
           std::to_string(options_.workspace);
}

bool Planner::is_right(const ConvPass& pass) {
    try {
        Bench(pass.problem(), handle(), pass.workspace()).expect_right(pass);
        return true;
    } catch (const sdk::Failure& failure) {
        if (failure.status() == SLUICE_NO_MEMORY) {
            return true;  // not checked, but it may work nevertheless
        }
        options_.log_line(describe(pass.problem()) + " does not use " + pass.text() + ": " + failure.what());
        return false;
    }
}

std::unique_ptr<ConvPass> Planner::first_of(const ConvProblem& problem, const EngineLimits& limits) {
    auto pass = first_pass_for(problem, handle(), limits, options_.workspace,
                               [this](const ConvPass& made) { return is_right(made); });
    if (pass == nullptr) {
        refuse(problem, limits);
    }
    return pass;
}

std::unique_ptr<ConvPass> Planner::fastest_of(const ConvProblem& problem, const EngineLimits& limits,
                                              const std::string& key, const sdk::KernelSink& sink) {
    auto passes = passes_for(problem, handle(), limits, options_.workspace);
    if (passes.empty()) {
        refuse(problem, limits);
    }
    const std::optional<std::size_t> best = measure(passes);
    auto pass = std::move(passes[best.value_or(0)]);
    if (best) {
        const std::string text = remembered_text(*pass);
        sink.remember(key, text);
        ready_.insert_or_assign({key, text}, *pass);
    }
    return pass;
}

std::unique_ptr<ConvPass> Planner::plan(const ConvProblem& problem, const sdk::KernelSink& sink, bool deterministic,
                                        bool timed) {
    handle().select();
    const EngineLimits limits{.deterministic = deterministic,
                              .exact = problem.image == CUDNN_DATA_FLOAT && !options_.tf32};
    const std::string key = key_of(problem, limits);
    const std::string known(sink.recall(key));
    const auto is_enough = [&](const ConvPass& pass) { return !timed || pass.milliseconds() || !sink.may_measure(); };
    const auto ready = ready_.find({key, known});
    if (ready != ready_.end() && (known.empty() ? !sink.may_measure() : is_enough(ready->second))) {
        return std::make_unique<ConvPass>(ready->second);
    }
    auto pass = known.empty() ? nullptr : make_remembered_pass(problem, handle(), known);
    if (pass == nullptr || !is_enough(*pass)) {
        if (sink.may_measure()) {
            return fastest_of(problem, limits, key, sink);
        }
        pass = first_of(problem, limits);
    }
    return std::make_unique<ConvPass>(ready_.insert_or_assign({key, known}, *pass).first->second);
}

}  // namespace sluice::cudnn
