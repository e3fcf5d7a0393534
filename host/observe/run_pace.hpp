// How far a run is: the steps and the time since it began, for those who relate their own figures to steps.
//
// The mean time of a step leaves out the warm-up: in its steps kernels are tuned and files are opened.
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::observe {

// All functions: [any thread]
class RunPace {
public:
    static constexpr std::int64_t kWarmUpSteps = 5;

    struct Figures {
        std::int64_t steps = 0;    // done since the run began in this process
        double seconds = 0.0;      // the same time; it stops at end()
        double cpu_seconds = 0.0;  // of all threads of the process, in that time
        // Mean of the step clock: without evaluations and checkpoints. Without step events it is the run's time per
        // step.
        double step_seconds = 0.0;
    };

    // The run begins after so many steps of earlier processes.
    void begin(std::int64_t step);
    // So many steps are done since the start of the training, and `epoch` is that of the last one.
    void advance(std::int64_t step, std::int64_t epoch) {
        step_.store(step, std::memory_order_relaxed);
        epoch_.store(epoch, std::memory_order_relaxed);
    }
    // The step clock counted so many seconds for `step`. Only the thread of the run may call it.
    void add_step(std::int64_t step, double seconds);
    void end();

    // True between begin() and end().
    [[nodiscard]] bool is_running() const { return is_running_; }
    [[nodiscard]] std::int64_t step() const { return step_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t epoch() const { return epoch_.load(std::memory_order_relaxed); }
    // Steps since begin(); 0 before it.
    [[nodiscard]] std::int64_t steps() const { return step() - first_step_.load(std::memory_order_relaxed); }
    // True for events up to the last step of the warm-up.
    [[nodiscard]] bool is_warm_up(std::int64_t step) const {
        return step - first_step_.load(std::memory_order_relaxed) <= kWarmUpSteps;
    }
    // Seconds since begin() until end(); 0 before it.
    [[nodiscard]] double seconds() const;
    [[nodiscard]] Figures figures() const;

private:
    std::atomic<std::int64_t> step_{0};
    std::atomic<std::int64_t> epoch_{0};
    std::atomic<std::int64_t> first_step_{0};
    std::atomic<std::int64_t> timed_steps_{0};  // that add_step() counted after the warm-up
    std::atomic<double> timed_seconds_{0.0};    // of these steps
    std::atomic<double> began_{0.0};            // seconds of the clock; 0: not yet
    std::atomic<double> ended_{0.0};            // the same
    std::atomic<double> cpu_at_begin_{0.0};
    std::atomic<double> cpu_at_end_{0.0};
    std::atomic<bool> is_running_{false};
};

}  // namespace sluice::observe
