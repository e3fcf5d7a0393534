#include "run/train/profile_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"

namespace sluice::run {
namespace {

namespace fs = std::filesystem;

constexpr double kPollSeconds = 1.0;
constexpr std::int64_t kFewestPairs = 20;
constexpr std::size_t kFewestLater = 4;  // steps of a window that can be compared with later ones
constexpr std::int64_t kMostPairs = 50;
constexpr std::size_t kMostMemoryPoints = 2000;

std::uint64_t unix_nanoseconds() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

// Reads and removes the request. Returns 0 if it is not a number of steps.
std::int64_t take_request(const fs::path& file) {
    const std::string text = read_file(file);
    fs::remove(file);
    std::int64_t steps = 0;
    const char* const end = text.data() + text.find_last_not_of(" \n") + 1;
    const auto [rest, problem] = std::from_chars(text.data(), end, steps);
    if (problem != std::errc() || rest != end || steps < 1 || steps > kMostRequestedSteps) {
        log::warn(fmt::format("{}: the request is not a number of steps from 1 to {}; it was removed", file.string(),
                              kMostRequestedSteps));
        return 0;
    }
    return steps;
}

}  // namespace

ProfileWindows::ProfileWindows(const config::PipelineSpec& spec, const fs::path& folder,
                               std::function<MemoryPoint()> memory)
    : request_(folder / kProfileRequest), memory_(std::move(memory)) {
    if (spec.profile.steps) {
        planned_ = Range{spec.profile.steps->first, spec.profile.steps->last};
    }
}

void ProfileWindows::drop_request() const {
    std::error_code none;
    fs::remove(request_, none);
}

void ProfileWindows::drop_until(std::int64_t step) {
    if (planned_ && planned_->last <= step) {
        planned_.reset();
    }
}

std::int64_t ProfileWindows::poll(double time) {
    if (pending_ > 0 || last_ || trial_ || time - polled_ < kPollSeconds) {
        return pending_;
    }
    polled_ = time;
    std::error_code problem;
    if (fs::exists(request_, problem)) {
        try {
            pending_ = take_request(request_);
        } catch (const std::exception& error) {  // it was removed meanwhile, or cannot be read
            if (!std::exchange(has_warned_, true)) {
                log::warn(fmt::format("a request to record steps failed: {}", error.what()));
            }
        }
    }
    return pending_;
}

void ProfileWindows::request(std::int64_t step, std::int64_t steps) {
    pending_ = 0;
    if (!last_ && !trial_) {
        requested_ = Range{step + 1, step + steps};
    }
}

// Ranges that overlap become one window.
std::optional<std::int64_t> ProfileWindows::last_of_window_at(std::int64_t step) const {
    std::optional<std::int64_t> last;
    if (!requested_ && !planned_) {
        return last;  // the usual case, at each step
    }
    for (const std::optional<Range>& range : {requested_, planned_, requested_}) {
        const std::int64_t end = std::max(step, last.value_or(step));
        if (range && range->first <= end && step <= range->last) {
            last = std::max(range->last, last.value_or(0));
        }
    }
    return last;
}

bool ProfileWindows::opens_before(std::int64_t step) const {
    return !last_ && !trial_ && last_of_window_at(step).has_value();
}

bool ProfileWindows::changes_before(std::int64_t step) const {
    return (trial_ && trial_->is_in_turn) || opens_before(step);
}

bool ProfileWindows::changes_after(std::int64_t step) const {
    return (trial_ && trial_->is_in_turn) || (last_ && step >= *last_);
}

void ProfileWindows::begin_step(std::int64_t step, double began) {
    if (trial_ && trial_->is_in_turn) {
        trial_->records_next() ? profile::Recorder::resume() : profile::Recorder::pause();
    }
    if (last_ && step == current_.first_step) {
        current_.began = began;
        current_.began_unix_ns = unix_nanoseconds() - static_cast<std::uint64_t>(1e9 * (now() - began));
        add_memory(began);
    }
    if (last_) {
        current_.last_step = step;
        profile::Recorder::set_step(step);
    }
}

bool ProfileWindows::end_step(std::int64_t step, double seconds) {
    if (trial_) {
        (trial_->records_next() ? trial_->with : trial_->without).push_back(seconds);
        if (--trial_->steps == 0) {
            end_trial();
        }
        return false;
    }
    if (!last_) {
        return false;
    }
    add_memory(now());
    current_.step_seconds.push_back(seconds);
    const bool closes = step >= *last_;
    if (closes) {
        close();
        begin_trial(recorded_->last_step - recorded_->first_step + 1);
    }
    return closes;
}

void ProfileWindows::open(std::int64_t step) {
    last_ = last_of_window_at(step);
    current_ = {.first_step = step, .last_step = step, .spans = {}, .memory = {}, .step_seconds = {}};
    current_.memory.reserve(kMostMemoryPoints);
    current_.step_seconds.reserve(kMostMemoryPoints);
    profile::Recorder::open();
}

void ProfileWindows::close() {
    current_.ended = now();
    current_.spans = profile::Recorder::close();
    last_.reset();
    requested_.reset();
    if (planned_ && planned_->first <= current_.last_step) {
        planned_.reset();
    }
    recorded_ = std::exchange(current_, {});
}

void ProfileWindows::add_memory(double time) {
    if (current_.memory.size() < kMostMemoryPoints) {
        MemoryPoint& point = current_.memory.emplace_back(memory_());
        point.time = time;
    }
}

// The spans of the trial are dropped. The first step is one without recording. Its length depends on the window alone,
// so that it ends at the same step in all processes.
void ProfileWindows::begin_trial(std::int64_t window_steps) {
    const std::int64_t pairs = std::clamp(window_steps, kFewestPairs, kMostPairs);
    trial_ = Trial{.steps = 2 * static_cast<std::size_t>(pairs), .with = {}, .without = {}};
    trial_->with.reserve(kMostPairs);
    trial_->without.reserve(kMostPairs);
    profile::Recorder::open();
    profile::Recorder::pause();
}

void ProfileWindows::end_trial() {
    cost_ = trial_->is_in_turn ? profile::cost_in_turn(trial_->with, trial_->without)
                               : profile::cost_before(trial_->with, trial_->without);
    cancel_trial();
}

// The first step of a window is left out, since it may run without its captured graph.
void ProfileWindows::compare_with_later_steps() {
    cancel_trial();
    if (!recorded_ || recorded_->step_seconds.size() <= kFewestLater) {
        return;
    }
    std::vector<double> with(recorded_->step_seconds.begin() + 1, recorded_->step_seconds.end());
    trial_ = Trial{.steps = with.size(), .is_in_turn = false, .with = std::move(with), .without = {}};
    trial_->without.reserve(trial_->steps);
}

void ProfileWindows::cancel_trial() {
    const std::optional<Trial> trial = std::exchange(trial_, std::nullopt);
    if (trial && trial->is_in_turn) {
        static_cast<void>(profile::Recorder::close());
    }
}

bool ProfileWindows::finish() {
    const bool closes = last_.has_value();
    if (closes) {
        if (current_.last_step < *last_) {
            cut_off_ = Range{current_.last_step + 1, *last_};
        }
        close();
    }
    cancel_trial();
    return closes;
}

std::string ProfileWindows::missed() const {
    const std::optional<Range>& missed = cut_off_ ? cut_off_ : planned_;
    if (!missed) {
        return "";
    }
    const std::string steps = missed->first == missed->last
                                  ? fmt::format("step {} was", missed->first)
                                  : fmt::format("steps {} to {} were", missed->first, missed->last);
    return fmt::format("{} not recorded: the run ended before", steps);
}

std::optional<ProfileWindows::Recorded> ProfileWindows::take() { return std::exchange(recorded_, std::nullopt); }

std::optional<profile::RecordingCost> ProfileWindows::take_cost() { return std::exchange(cost_, std::nullopt); }

}  // namespace sluice::run
