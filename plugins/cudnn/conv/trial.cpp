#include "conv/trial.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "conv/bench.hpp"
#include "conv/remembered.hpp"
#include "cuda/status.hpp"

namespace sluice::cudnn {
namespace {

class Event {
public:
    Event() { check(cudaEventCreate(&event_), "creating an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(const Bench& bench) const { check(cudaEventRecord(event_, bench.stream()), "recording an event"); }
    // Returns milliseconds. Both events must have happened.
    [[nodiscard]] float since(const Event& before) const {
        float time = 0.0F;
        check(cudaEventElapsedTime(&time, before.event_, event_), "reading the time between two events");
        return time;
    }

private:
    cudaEvent_t event_ = nullptr;
};

// Captures `runs` successive runs of a pass as a graph. Returns NULL if its engine cannot be captured.
cudaGraphExec_t record(const Bench& bench, const ConvPass& pass, int runs) {
    check(cudaStreamBeginCapture(bench.stream(), cudaStreamCaptureModeThreadLocal), "beginning to capture a stream");
    bool is_whole = true;
    try {
        for (int run = 0; run < runs; ++run) {
            bench.put(pass);
        }
    } catch (const sdk::Failure&) {
        is_whole = false;
    }
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    const bool has_ended = cudaStreamEndCapture(bench.stream(), &graph) == cudaSuccess;
    if (is_whole && has_ended && cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess) {
        ready = nullptr;
    }
    if (graph != nullptr) {
        cudaGraphDestroy(graph);
    }
    cudaGetLastError();
    UncapturedCall::take();
    return ready;
}

// A pass to measure.
class Candidate {
public:
    Candidate(std::size_t index, const Bench& bench, const ConvPass& pass) : index_(index), bench_(bench), pass_(pass) {
        bench_.expect_right(pass_);  // loads its code, too
    }
    ~Candidate() {
        if (graph_ != nullptr) {
            cudaGraphExecDestroy(graph_);
        }
    }
    Candidate(const Candidate&) = delete;
    Candidate& operator=(const Candidate&) = delete;

    // Measures one run. Its time is only a rough one.
    void try_once() { once_ = time(); }
    [[nodiscard]] float once() const { return once_; }

    void prepare() {
        constexpr float kEnough = 0.5F;  // milliseconds of one sample; the event clock has a resolution of 0.5 us
        constexpr float kMostRuns = 50.0F;
        runs_ = static_cast<int>(std::clamp(kEnough / std::max(once_, 1e-4F), 1.0F, kMostRuns));
        graph_ = record(bench_, pass_, runs_);
    }
    void sample(std::size_t round) { samples_[round] = time() / static_cast<float>(runs_); }

    [[nodiscard]] std::size_t index() const { return index_; }
    [[nodiscard]] bool has_graph() const { return graph_ != nullptr; }
    [[nodiscard]] float median() const {
        auto sorted = samples_;
        std::sort(sorted.begin(), sorted.end());
        return sorted[kRounds / 2];
    }

    static constexpr std::size_t kRounds = 5;

private:
    void put() const {
        if (graph_ != nullptr) {
            check(cudaGraphLaunch(graph_, bench_.stream()), "replaying a captured graph");
            return;
        }
        for (int run = 0; run < runs_; ++run) {
            bench_.put(pass_);
        }
    }

    // Returns the milliseconds of all runs. Several runs follow as many others, which keep the GPU busy while the host
    // enqueues these. A single run is long compared with the host's time.
    [[nodiscard]] float time() const {
        if (runs_ > 1) {
            put();
        }
        before_.record(bench_);
        put();
        after_.record(bench_);
        bench_.wait();
        return after_.since(before_);
    }

    std::size_t index_;
    const Bench& bench_;
    const ConvPass& pass_;
    Event before_;
    Event after_;
    float once_ = 0.0F;  // milliseconds
    int runs_ = 1;
    cudaGraphExec_t graph_ = nullptr;
    std::array<float, kRounds> samples_{};
};

using Candidates = std::vector<std::unique_ptr<Candidate>>;

// Calls body(). If it fails, appends the reason to `failures` and returns false. A lack of memory is thrown on, because
// it is no failure of the pass.
template <class Body>
bool attempt(const ConvPass& pass, std::vector<std::string>& failures, const Body& body) {
    try {
        body();
        return true;
    } catch (const sdk::Failure& failure) {
        if (failure.status() == SLUICE_NO_MEMORY) {
            throw;
        }
        failures.push_back(pass.text() + ": " + failure.what());
        return false;
    }
}

std::uint64_t largest_workspace(const std::vector<std::unique_ptr<ConvPass>>& passes) {
    std::uint64_t bytes = 0;
    for (const auto& pass : passes) {
        bytes = std::max(bytes, pass->workspace());
    }
    return bytes;
}

// Some passes take a hundred times as long as the fastest. The first time of a short run is unreliable.
void drop_slow(Candidates& candidates) {
    constexpr float kShort = 0.1F;  // milliseconds
    constexpr float kSlow = 3.0F;
    float least = std::numeric_limits<float>::max();
    for (const auto& one : candidates) {
        least = std::min(least, one->once());
    }
    std::erase_if(candidates, [&](const auto& one) { return one->once() > kSlow * std::max(least, kShort); });
}

void measure(const std::vector<std::unique_ptr<ConvPass>>& passes, Candidates& candidates,
             std::vector<std::string>& failures) {
    const auto keep = [&](const auto& body) {
        std::erase_if(candidates,
                      [&](const auto& one) { return !attempt(*passes[one->index()], failures, [&] { body(*one); }); });
    };
    keep([](Candidate& one) { one.try_once(); });
    drop_slow(candidates);
    keep([](Candidate& one) { one.prepare(); });
    // The candidates take turns, so that a slow phase of the GPU hits all of them.
    for (std::size_t round = 0; round < Candidate::kRounds; ++round) {
        keep([&](Candidate& one) { one.sample(round); });
    }
}

}  // namespace

std::optional<std::size_t> fastest(const Handle& handle, const std::vector<std::unique_ptr<ConvPass>>& passes,
                                   std::vector<std::string>& failures) {
    const Bench bench(passes.front()->problem(), handle, largest_workspace(passes));
    Candidates candidates;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        attempt(*passes[i], failures, [&] { candidates.push_back(std::make_unique<Candidate>(i, bench, *passes[i])); });
    }
    measure(passes, candidates, failures);
    const auto best = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return a->has_graph() != b->has_graph() ? a->has_graph() : a->median() < b->median();
    });
    if (best == candidates.end()) {
        return std::nullopt;
    }
    passes[(*best)->index()]->set_milliseconds(as_remembered((*best)->median()));
    return (*best)->index();
}

}  // namespace sluice::cudnn
