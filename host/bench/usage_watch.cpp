#include "bench/usage_watch.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "bench/spread.hpp"
#include "registry/optional/usage.hpp"

namespace sluice::bench {
namespace {

constexpr std::chrono::milliseconds kInterval{100};

// Returns the known values of `figure`; empty if no answer has one.
std::vector<double> known(const std::vector<sluice_usage_figures>& answers, double sluice_usage_figures::*figure) {
    std::vector<double> values;
    for (const sluice_usage_figures& answer : answers) {
        if (answer.*figure >= 0.0) {
            values.push_back(answer.*figure);
        }
    }
    return values;
}

}  // namespace

Usage summarize(const std::vector<sluice_usage_figures>& answers) {
    const auto spread = [&](double sluice_usage_figures::*figure) {
        std::vector<double> values = known(answers, figure);
        return values.empty() ? Spread{.median = -1.0, .most = -1.0} : spread_of(std::move(values));
    };
    return {.answers = answers.size(),
            .busy_share = spread(&sluice_usage_figures::busy_share).median,
            .power_watts = spread(&sluice_usage_figures::power_watts).median,
            .clock_hertz = spread(&sluice_usage_figures::clock_hertz).median,
            .celsius = spread(&sluice_usage_figures::celsius).most,
            .used_bytes = spread(&sluice_usage_figures::used_bytes).most,
            .limit = answers.back().limit};
}

UsageWatch::UsageWatch(const registry::Device& device) : device_(device) {
    if (!ask()) {
        return;
    }
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        do {
            ended_.wait_for(lock, stop, kInterval, [] { return false; });
        } while (!stop.stop_requested() && ask());
    });
}

std::optional<Usage> UsageWatch::end() {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
        ask();
    }
    return answers_.empty() ? std::nullopt : std::optional(summarize(answers_));
}

// Returns false if the device gave no answer.
bool UsageWatch::ask() {
    try {
        answers_.push_back(registry::read_usage(device_));
        return true;
    } catch (const Error&) {
        return false;  // a device need not report usage
    }
}

}  // namespace sluice::bench
