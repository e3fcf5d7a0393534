#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/counted.hpp"
#include "base/text/scaled_number.hpp"
#include "bench/report.hpp"

namespace sluice::bench {
namespace {

std::string seconds_text(double seconds) {
    return seconds >= 1.0    ? fmt::format("{:.3f} s", seconds)
           : seconds >= 1e-3 ? fmt::format("{:.2f} ms", 1e3 * seconds)
                             : fmt::format("{:.1f} us", 1e6 * seconds);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string step_lines(const Measurement& found) {
    const Spread& step = found.step;
    return fmt::format(
        "step        {} median of {}, quartiles {} to {}, {:.2f} samples/s\n"
        "            {} with launch timing, {:+.1f} %\n"
        "            {} of it outside convolutions\n",
        seconds_text(step.median), found.steps, seconds_text(step.lower_quartile), seconds_text(step.upper_quartile),
        static_cast<double>(found.batch) / step.median, seconds_text(found.timed_step.median),
        100.0 * (found.timed_step.median / step.median - 1.0), percent(found.outside_convolutions));
}

std::string limit_lines(const Measurement& found) {
    std::string peaks;
    for (const PeakRate& peak : found.peaks.all()) {
        peaks += fmt::format("{}{:.0f} ({})", peaks.empty() ? "" : ", ", 1e-9 * peak.rate, to_string(peak.operands));
    }
    std::string bandwidth;
    for (const Bandwidth& size : found.bandwidth) {
        bandwidth +=
            fmt::format("{}{:.0f} ({})", bandwidth.empty() ? "" : ", ", 1e-9 * size.best(), byte_text(size.bytes));
    }
    return fmt::format(
        "limit       {}; the step reaches {} of it\n"
        "            peak rate of arithmetic {} GFLOP/s\n"
        "            memory bandwidth {} GB/s\n",
        seconds_text(found.limit_seconds), percent(found.limit_seconds / found.step.median),
        peaks.empty() ? "-" : peaks, bandwidth);
}

std::string arithmetic_line(const Measurement& found) {
    return fmt::format(
        "arithmetic  {:.2f} GFLOP a step by definition, {:.2f} done ({:.2f} times less), {} of the peak\n",
        1e-9 * found.flops, 1e-9 * found.done_flops, gain_of(found.flops, found.done_flops),
        percent(found.peak_seconds / found.step.median));
}

std::string memory_line(const Measurement& found) {
    const std::string on_device = found.device_peak > 0
                                      ? fmt::format("{} of the device, {} of the host", byte_text(found.device_peak),
                                                    byte_text(found.resident_peak))
                                      : byte_text(found.resident_peak);
    const std::string by_all =
        found.device_taken > 0
            ? fmt::format("            {} more of the device in use than before, libraries included\n",
                          byte_text(found.device_taken))
            : "";
    return fmt::format("memory      {} at peak; planned {} (arena {}, weights {}) on top of {}\n{}", on_device,
                       byte_text(found.predicted_arena + found.predicted_weights), byte_text(found.predicted_arena),
                       byte_text(found.predicted_weights), byte_text(found.resident_before), by_all);
}

// Returns "busy 98 % of the time, 512 W, 1755 MHz, 61 C, 3.0 GiB in use by all processes; clock limited by power".
// Unknown figures are left out.
std::string usage_line(const Usage& usage) {
    std::vector<std::string> known;
    const auto add_if_known = [&](double value, const std::string& text) {
        if (value >= 0.0) {
            known.push_back(text);
        }
    };
    add_if_known(usage.busy_share, fmt::format("busy {} of the time", percent(usage.busy_share)));
    add_if_known(usage.power_watts, fmt::format("{:.0f} W", usage.power_watts));
    add_if_known(usage.clock_hertz, fmt::format("{:.0f} MHz", 1e-6 * usage.clock_hertz));
    add_if_known(usage.celsius, fmt::format("{:.0f} C", usage.celsius));
    add_if_known(usage.used_bytes, fmt::format("{} in use by all processes", byte_text(usage.used_bytes)));
    return fmt::format("usage       {}{}\n", fmt::join(known, ", "),
                       usage.limit.empty() ? "" : fmt::format("; clock limited by {}", usage.limit));
}

std::string part_line(const Part& part) {
    const double seconds = part.seconds.median;
    const auto rate = [&](double amount) {
        return amount > 0.0 ? fmt::format("{:.1f}", 1e-9 * amount / seconds) : std::string("-");
    };
    const std::string limit =
        part.limit_seconds > 0.0 ? fmt::format("{:.0f} %", 100.0 * part.limit_seconds / seconds) : "-";
    const bool computes = part.done_flops > 0.0;
    const std::string peak = computes && part.peak > 0.0 ? fmt::format("{:.0f} %", 100.0 * part.share_of_peak()) : "-";
    const std::string gain = computes ? fmt::format("{:.2f}", gain_of(part.flops, part.done_flops)) : "-";
    return fmt::format("{:>7} {:>10} {:>8} {:>6} {:>5} {:>7} {:>7}  {:<8}  {:<24} {:<34} {}\n", percent(part.share),
                       seconds_text(seconds), rate(part.done_flops), peak, gain, rate(part.bytes), limit,
                       part.direction, part.path, part.types,
                       part.kernel + (part.note.empty() ? "" : ": " + part.note));
}

}  // namespace

std::string to_text(const Measurement& found) {
    std::string text = fmt::format("pipeline    {}, {} a batch, {} parameters\ndevice      {}, {}\n", found.pipeline,
                                   found.batch, metric_number(static_cast<double>(found.parameters)), found.device,
                                   counted(found.threads, "thread"));
    text += step_lines(found) + limit_lines(found) + arithmetic_line(found);
    text += fmt::format("start-up    {} from the start of the process to the first step\n",
                        seconds_text(found.start_up_seconds));
    text += memory_line(found);
    text += found.usage ? usage_line(*found.usage) : "";
    text += fmt::format("\n{:>7} {:>10} {:>8} {:>6} {:>5} {:>7} {:>7}  {:<8}  {:<24} {:<34} {}\n", "share", "time",
                        "GFLOP/s", "peak", "gain", "GB/s", "limit", "", "layer", "types", "kernel");
    for (const Part& part : found.parts) {
        text += part_line(part);
    }
    return text;
}

}  // namespace sluice::bench
