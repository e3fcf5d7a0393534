// Progress on the standard error.
#include "progress.hpp"

#include <algorithm>
#include <cmath>

#include "readable.hpp"

namespace sluice::observers {
namespace {

constexpr double kTerminalInterval = 0.1;  // seconds; nobody can read faster updates
constexpr double kMemory = 20.0;           // steps
// "input_psnr" is the psnr of the input itself, before the model does anything.
constexpr std::string_view kBaseline = "input_";

// True for a metric to print by itself: neither the baseline of another nor the loss, which training already shows.
bool is_headline(const Metric& metric) { return metric.name != "loss" && !metric.name.starts_with(kBaseline); }

// "psnr 30.12 (input 27.55, +2.57)"
std::string with_baseline(const Metric& metric, const std::vector<Metric>& all) {
    const int decimals = decimals_for(metric.value, 4);
    std::string text = metric.name + " " + fixed(metric.value, decimals);
    if (const auto baseline = find(all, std::string(kBaseline) + metric.name)) {
        const double gain = metric.value - *baseline;
        text += " (input " + fixed(*baseline, decimals) + ", " + (gain >= 0.0 ? "+" : "") + fixed(gain, decimals) + ")";
    }
    return text;
}

std::string images_per_second(double rate) { return fixed(rate, rate < 1000.0 ? 1 : 0) + " img/s"; }

// " (3 skipped)"
std::string skipped_text(const sluice_event& event) {
    const double skipped = sdk::scalar(event, "skipped_steps");
    return skipped > 0.0 ? " (" + fixed(skipped, 0) + " skipped)" : "";
}

std::string of_total(std::int64_t number, std::int64_t total) {
    return std::to_string(number) + (total > 0 ? "/" + std::to_string(total) : "");
}

}  // namespace

void Smoothed::add(double value) {
    ++count_;
    // The value of a step that overflowed is shown, and the next value starts a new mean.
    value_ = std::isfinite(value_) ? value_ + (value - value_) / std::min<double>(count_, kMemory) : value;
}

Progress::Progress(sdk::Host, sdk::Options options)
    : interval_(line_.is_terminal() ? kTerminalInterval : options.number("every_seconds")) {}

std::uint64_t Progress::wants() const noexcept {
    return (1U << SLUICE_EVENT_RUN_BEGIN) | (1U << SLUICE_EVENT_STEP) | (1U << SLUICE_EVENT_EPOCH_END) |
           (1U << SLUICE_EVENT_EVALUATION) | (1U << SLUICE_EVENT_RUN_END);
}

void Progress::on_event(const sluice_event& event) {
    if (const auto row = rows_.take(event)) {
        print_epoch(*row);
    }
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        begin(event);
    } else if (event.kind == SLUICE_EVENT_STEP) {
        add_step(event);
        if (!shown_ || event.seconds - *shown_ >= interval_) {
            shown_ = event.seconds;
            show_step(event);
        }
    } else if (event.kind == SLUICE_EVENT_RUN_END) {
        line_.print(std::string(sdk::view(event.text)) + " at step " + of_total(event.step, steps_) + " after " +
                    duration(event.seconds));
    }
}

void Progress::begin(const sluice_event& event) {
    epochs_ = static_cast<std::int64_t>(sdk::scalar(event, "epochs"));
    steps_ = static_cast<std::int64_t>(sdk::scalar(event, "steps"));
}

void Progress::add_step(const sluice_event& event) {
    loss_.add(sdk::scalar(event, "loss"));
    step_seconds_.add(sdk::scalar(event, "step_seconds"));
    data_seconds_.add(sdk::scalar(event, "data_seconds"));
    samples_.add(sdk::scalar(event, "samples"));
}

void Progress::show_step(const sluice_event& event) {
    const double seconds = step_seconds_.value();
    std::vector<Part> parts{
        {place(event.epoch)}, {"step " + of_total(event.step, steps_)}, {"loss " + significant(loss_.value(), 3)}};
    if (!latest_metric_.empty()) {
        parts.push_back({latest_metric_, 1});
    }
    if (seconds > 0.0) {
        parts.push_back({images_per_second(samples_.value() / seconds)});
    }
    const std::string awaited(sdk::view(event.text));
    parts.push_back({"step " + duration(seconds) + " (data " + duration(data_seconds_.value()) +
                         (awaited.empty() ? "" : ", waits for '" + awaited + "'") + ")",
                     2});
    parts.push_back({"rate " + scientific(sdk::scalar(event, "rate")), 3});
    if (const double scale = sdk::scalar(event, "loss_scale"); scale > 0.0) {
        parts.push_back({"scale " + significant(scale, 4) + skipped_text(event), 3});
    }
    if (steps_ > 0) {
        const double left = static_cast<double>(steps_ - event.step) * seconds;
        parts.push_back({"eta " + (left < 1.0 ? "<1 s" : duration(left))});
    }
    line_.show(std::move(parts));
}

void Progress::print_epoch(const EpochRow& row) {
    std::vector<Part> parts{{place(row.epoch)}};
    if (row.training) {
        parts.push_back({"loss " + significant(row.training->loss, 3)});
    }
    latest_metric_.clear();
    for (const Metric& metric : row.evaluation) {
        if (!is_headline(metric)) {
            continue;
        }
        parts.push_back({with_baseline(metric, row.evaluation)});
        if (latest_metric_.empty()) {
            latest_metric_ = metric.name + " " + significant(metric.value, 4);
        }
    }
    if (row.training) {
        parts.push_back({images_per_second(row.training->samples_per_second)});
        parts.push_back({duration(row.training->seconds)});
    }
    line_.print(join(std::move(parts), std::string::npos));
}

std::string Progress::place(std::int64_t epoch) const { return "epoch " + of_total(epoch, epochs_); }

}  // namespace sluice::observers
