// The start, the scalars and the report of training steps in device memory, and their copies on the way. The host goes
// on while the device computes: it writes the starts of later steps, and reads a report when it is there. A word to
// the others travels with them, since processes may exchange it on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "registry/objects/step_calls.hpp"
#include "registry/objects/streams.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

// What a process tells the others with a step; the greatest word of all counts.
namespace word {
inline constexpr double kNothing = 0.0;
inline constexpr double kLacksInput = 1.0;  // its next steps may wait for their data
inline constexpr double kStop = 2.0;        // behind this step
}  // namespace word

class StepState {
public:
    // What a step leaves.
    struct Ended {
        double word;
        sluice_step_report report;
    };

    // `scalars` is device memory; `gradients` are so many elements, and the rule says whether their norm is wanted.
    StepState(std::shared_ptr<const registry::Device> device, void* stream, const sluice_threads* threads,
              sluice_step_scalars* scalars, const sluice_step_rule& rule, std::uint64_t gradients);

    // What the steps before the next one have left: only the fields of a report that say so count.
    void write_report(const sluice_step_report& report);
    // Of the part of a step whose kernels are enqueued next; begin() makes its scalars.
    void write_start(const sluice_step_start& start, double said = word::kNothing);
    void begin() { calls_.begin(rule_, &cells()->start, report(), scalars_); }
    [[nodiscard]] bool wants_norm() const { return rule_.has_norm != 0; }
    // Of all gradients, where their norm is wanted.
    void sum_squares(const float* gradients);
    // Decides about the update, after the losses of all parts were added.
    void decide() { calls_.decide(rule_, scalars(), report()); }
    // Those of parameters and running statistics, where the update is made.
    void move_averages(const Weights& weights, double decay) const;
    // Sends the report of a step on its way to the host. At most kAhead are on the way.
    void send_report();
    // The one that was sent first of those that were not taken yet; waits for it.
    [[nodiscard]] Ended take_report();

    // Device memory.
    [[nodiscard]] sluice_step_scalars* scalars() const { return scalars_; }
    [[nodiscard]] sluice_step_report* report() const { return &cells()->ended.report; }
    [[nodiscard]] double* word() const { return &cells()->ended.word; }
    [[nodiscard]] const registry::StepCalls& calls() const { return calls_; }

    static constexpr std::size_t kAhead = 4;

private:
    // In device memory. The host writes up to the word, and reads from there on.
    struct Cells {
        sluice_step_start start;
        Ended ended;
    };
    static constexpr std::size_t kWritten = offsetof(Cells, ended) + sizeof(double);
    // Pinned host memory, and when the copy from or to it is done.
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
