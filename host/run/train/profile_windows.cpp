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
constexpr std::int64_t kFewestPairs = 5;
constexpr std::int64_t kMostPairs = 50;
constexpr double kErrorOfMedian = 1.4826 * 1.2533;  // from the median of deviations, for normal noise
constexpr std::size_t kMostMemoryPoints = 2000;

std::uint64_t unix_nanoseconds() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
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

bool ProfileWindows::changes_before(std::int64_t step) const { return trial_.has_value() || opens_before(step); }

bool ProfileWindows::changes_after(std::int64_t step) const { return trial_.has_value() || (last_ && step >= *last_); }

void ProfileWindows::begin_step(std::int64_t step, double began) {
    if (trial_) {
        trial_->records_next() ? profile::Recorder::resume() : profile::Recorder::pause();
    } else if (opens_before(step)) {
        last_ = last_of_window_at(step);
        open(step, began);
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
    const bool closes = step >= *last_;
    if (closes) {
        close();
        begin_trial(recorded_->last_step - recorded_->first_step + 1);
    }
    return closes;
}

void ProfileWindows::open(std::int64_t step, double began) {
    current_ = {.first_step = step, .began = began, .began_unix_ns = unix_nanoseconds(), .spans = {}, .memory = {}};
    current_.began_unix_ns -= static_cast<std::uint64_t>(1e9 * (now() - began));
    current_.memory.reserve(kMostMemoryPoints);
    add_memory(began);
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
    std::vector<double> differences;
    for (std::size_t i = 0; i < trial_->with.size(); ++i) {
        differences.push_back(trial_->with[i] - trial_->without[i]);
    }
    const double cost = median(differences);
    std::vector<double> deviations;
    std::ranges::transform(differences, std::back_inserter(deviations),
                           [&](double difference) { return std::abs(difference - cost); });
    cost_ = Cost{.steps = static_cast<std::int64_t>(trial_->with.size()),
                 .seconds = std::max(0.0, cost),
                 .noise = kErrorOfMedian * median(deviations) / std::sqrt(static_cast<double>(deviations.size())),
                 .step_seconds = median(trial_->without)};
    cancel_trial();
}

void ProfileWindows::cancel_trial() {
    if (std::exchange(trial_, std::nullopt)) {
        static_cast<void>(profile::Recorder::close());
    }
}

bool ProfileWindows::finish() {
    const bool closes = last_.has_value();
    if (closes) {
        close();
    }
    cancel_trial();
    return closes;
}

std::string ProfileWindows::missed() const {
    return planned_ ? fmt::format("steps {} to {} were not recorded: they are not part of this run", planned_->first,
                                  planned_->last)
                    : "";
}

std::optional<ProfileWindows::Recorded> ProfileWindows::take() { return std::exchange(recorded_, std::nullopt); }

std::optional<ProfileWindows::Cost> ProfileWindows::take_cost() { return std::exchange(cost_, std::nullopt); }

}  // namespace sluice::run
