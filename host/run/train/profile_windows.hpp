// Decides which steps of a training are recorded: those of `profile.steps`, and those that a request in the run's
// folder asks for. After a window, some steps run with and without recording in turn, which measures its cost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "profile/recorder.hpp"
#include "profile/recording_cost.hpp"

namespace sluice::run {

// The file in a run's folder that asks for a window: the number of steps, as text.
inline constexpr const char* kProfileRequest = "profile-request";
inline constexpr std::int64_t kMostRequestedSteps = config::ProfileSpec::kMostSteps;

class ProfileWindows {
public:
    // Bytes of memory at one time.
    struct MemoryPoint {
        double time = 0.0;  // as now()
        std::uint64_t resident = 0;
        std::uint64_t batches = 0;  // in flight
        std::uint64_t cache = 0;    // cached samples
        std::uint64_t device = 0;   // of the first replica's device, unless it is the CPU
    };
    // A closed window.
    struct Recorded {
        std::int64_t first_step = 0;
        std::int64_t last_step = 0;
        double began = 0.0;  // as now()
        double ended = 0.0;
        std::uint64_t began_unix_ns = 0;
        profile::RecordedSpans spans;
        std::vector<MemoryPoint> memory{};   // at the beginning and after each step
        std::vector<double> step_seconds{};  // of each step
    };

    // `folder` is the run's folder. `memory` measures all but `time`.
    ProfileWindows(const config::PipelineSpec& spec, const std::filesystem::path& folder,
                   std::function<MemoryPoint()> memory);

    // Removes a request that an earlier run of this folder left.
    void drop_request() const;
    // The run begins after this step: earlier ones of the pipeline were recorded before, or never will be.
    void drop_until(std::int64_t step);
    // Returns the number of steps that a request asks for; 0: there is none, or a window is open. Looks for the file
    // once a second; `time` is now(). Returns the same number until request() is called. A request that is not a number
    // from 1 to kMostRequestedSteps is removed with a warning.
    [[nodiscard]] std::int64_t poll(double time);
    // Records `steps` steps after `step`, unless a window is open.
    void request(std::int64_t step, std::int64_t steps);

    // True if a window begins with this step.
    [[nodiscard]] bool opens_before(std::int64_t step) const;
    // True if begin_step() or end_step() for this step changes whether steps are recorded. Then no other step may be in
    // flight.
    [[nodiscard]] bool changes_before(std::int64_t step) const;
    [[nodiscard]] bool changes_after(std::int64_t step) const;
    // Opens the window that begins with this step; see opens_before(). Call it before begin_step().
    void open(std::int64_t step);
    // Call these before and after each step. `began`: when the step began, as now(). `seconds`: the step's time.
    // end_step() returns true if it closed a window.
    void begin_step(std::int64_t step, double began);
    bool end_step(std::int64_t step, double seconds);
    // The run ends: nothing more is measured. Returns true if a window was closed.
    bool finish();
    // Call it after finish(). Returns a warning if steps of the pipeline or of a request were not part of the run; else
    // nothing.
    [[nodiscard]] std::string missed() const;
    // The spans of the window that was closed last, until take().
    [[nodiscard]] profile::RecordedSpans& closed_spans() { return recorded_->spans; }
    // True if take() or take_cost() returns something.
    [[nodiscard]] bool has_news() const { return recorded_ || cost_; }
    // Returns a window that was closed; nothing else.
    [[nodiscard]] std::optional<Recorded> take();
    // Measures what recording cost by the steps after the window instead of steps in turn: a device cannot be recorded
    // in every second step. Call it when a window has closed.
    void compare_with_later_steps();
    // Does not measure what recording costs.
    void cancel_trial();
    // Returns the cost if it has just been measured; nothing else.
    [[nodiscard]] std::optional<profile::RecordingCost> take_cost();

private:
    struct Range {
        std::int64_t first = 0;
        std::int64_t last = -1;
    };
    // Steps with and without recording in turn: without, with, with, without, and so on, because other work of a run
    // may take every second step.
    struct Trial {
        [[nodiscard]] bool records_next() const {
            return is_in_turn && (with.size() + without.size() + 1) / 2 % 2 == 1;
        }

        std::size_t steps = 0;   // that are still to come
        bool is_in_turn = true;  // else only steps without recording come, and `with` are those of the window
        std::vector<double> with;
        std::vector<double> without;
    };

    void close();
    void begin_trial(std::int64_t window_steps);
    void end_trial();
    void add_memory(double time);
    // Returns the last step of the window that `step` belongs to; nothing if it belongs to none.
    [[nodiscard]] std::optional<std::int64_t> last_of_window_at(std::int64_t step) const;

    std::filesystem::path request_;
    std::function<MemoryPoint()> memory_;
    double polled_ = 0.0;               // when the file was last looked for
    std::int64_t pending_ = 0;          // steps of the request that was found last; 0: none
    bool has_warned_ = false;           // of a request that cannot be read
    std::optional<Range> planned_;      // by the pipeline, and not recorded yet
    std::optional<Range> requested_;    // and not recorded yet
    std::optional<std::int64_t> last_;  // last step of the open window; std::nullopt: none is open
    std::optional<Recorded> recorded_;  // closed, and not taken yet
    std::optional<Trial> trial_;
    std::optional<profile::RecordingCost> cost_;
    std::optional<Range> cut_off_;  // steps of a window that the run did not reach
    Recorded current_;
};

}  // namespace sluice::run
