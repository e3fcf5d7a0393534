// The start, scalars and report of training steps in device memory, and their copies in flight. The host runs ahead of
// the device: it writes the starts of later steps, and reads a report when it arrives. A signal to other processes
// travels with them, since processes may exchange it between devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "registry/optional/step_calls.hpp"
#include "registry/optional/streams.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

// Signals that a process sends to the others with a step. The maximum over all processes counts.
namespace rank_status {
inline constexpr double kNothing = 0.0;
inline constexpr double kLacksInput = 1.0;  // the sender's next steps may wait for their data
inline constexpr double kStop = 1e9;        // all stop after this step

// All record this number of steps; the sender's next steps may also wait for their data.
inline constexpr double record(std::int64_t steps) { return 1.0 + static_cast<double>(steps); }
// Returns the number of steps that record() sent; 0: none.
inline constexpr std::int64_t recorded_steps(double status) {
    return status > kLacksInput && status < kStop ? static_cast<std::int64_t>(status - 1.0) : 0;
}
}  // namespace rank_status

class StepState {
public:
    // The device returns this after a step.
    struct Ended {
        double status;
        sluice_step_report report;
    };

    // `scalars` is device memory. `gradients`: number of elements. `rule` says whether the gradient norm is wanted.
    StepState(std::shared_ptr<const registry::Device> device, void* stream, const sluice_threads* threads,
              sluice_step_scalars* scalars, const sluice_step_rule& rule, std::uint64_t gradients);

    // Sets the state that earlier steps left: loss scale, updates, good steps and skips in a row. Waits.
    void write_report(const sluice_step_report& report);
    // Sends the start of the micro-batch whose kernels are enqueued next, with the signal `status`. begin() then
    // computes its scalars.
    void write_start(const sluice_step_start& start, double status = rank_status::kNothing);
    void begin() { calls_.begin(rule_, &cells()->start, report(), scalars_); }
    [[nodiscard]] bool wants_norm() const { return rule_.has_norm != 0; }
    // Sums the squares of all gradients, if their norm is wanted.
    void sum_squares(const float* gradients);
    // Decides about the update, after all losses of the step were added.
    void decide() { calls_.decide(rule_, scalars(), report()); }
    // Moves the averages of parameters and running statistics, if the update is made.
    void move_averages(const Weights& weights, double decay) const;
    // Starts the copy of a step's report to the host. At most kAhead copies may be in flight.
    void send_report() const;
    // Call it after send_report(): take_report() waits until the stream comes here.
    void end_report();
    // Returns the oldest report that was sent and not taken yet; waits for it.
    [[nodiscard]] Ended take_report();

    // Device memory.
    [[nodiscard]] sluice_step_scalars* scalars() const { return scalars_; }
    [[nodiscard]] sluice_step_report* report() const { return &cells()->ended.report; }
    [[nodiscard]] double* status() const { return &cells()->ended.status; }
    [[nodiscard]] const registry::StepCalls& calls() const { return calls_; }

    static constexpr std::size_t kAhead = 4;

private:
    // Lies in device memory. The host writes everything up to and including the status, and reads from the status on.
    struct Cells {
        sluice_step_start start;
        Ended ended;
    };
    static constexpr std::size_t kWritten = offsetof(Cells, ended) + sizeof(double);
    // Pinned host memory, and an event that passes when the copy from or to it is done.
    struct Slot {
        registry::Block block;
        registry::Event copied;
    };
    [[nodiscard]] Cells* cells() const { return reinterpret_cast<Cells*>(cells_.data()); }
    [[nodiscard]] std::vector<Slot> make_slots(std::uint64_t bytes, std::size_t count) const;

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::StepCalls calls_;
    sluice_step_rule rule_;
    std::uint64_t gradient_count_;
    sluice_step_scalars* scalars_;
    registry::Block cells_;
    registry::Block workspace_;
    std::vector<Slot> start_slots_;
    std::vector<Slot> report_slots_;
    std::uint64_t written_ = 0;  // starts
    std::uint64_t sent_ = 0;     // reports
    std::uint64_t taken_ = 0;
};

}  // namespace sluice::run
