#include "watch/run_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "base/text/columns.hpp"
#include "base/text/duration.hpp"
#include "base/text/rate_text.hpp"
#include "base/text/scaled_number.hpp"
#include "history/advice.hpp"
#include "history/run_state.hpp"
#include "history/stages.hpp"
#include "history/step_split.hpp"

namespace sluice::watch {
namespace {

using history::RunHistory;
using history::RunState;
using history::Series;

constexpr std::size_t kRecent = 20;  // events of steps
constexpr int kGap = 2;              // columns between the halves
constexpr int kGraphLines = 3;
constexpr int kFootLines = 2;
constexpr int kWarningLines = 4;
constexpr int kMostGpus = 2;  // with a line each; more share one
constexpr std::size_t kMostRanks = 3;
constexpr int kStageColumns = 10;
constexpr int kGaugeColumns = 8;

Style style_of(RunState state) {
    switch (state) {
        case RunState::starting:
        case RunState::running:
            return Style::busy;
        case RunState::finished:
            return Style::good;
        case RunState::interrupted:
            return Style::plain;
        default:
            return Style::bad;
    }
}

double last_of(const Series* series) {
    return series == nullptr || series->values.empty() ? std::nan("") : series->values.back();
}

// Seconds until the end, at the speed since the start or the last resume; NaN if unknown.
double seconds_left(const RunHistory& run) {
    if (run.sittings().empty()) {
        return std::nan("");
    }
    const history::Sitting& sitting = run.sittings().back();
    const auto done = static_cast<double>(run.step() - sitting.first_step);
    const auto left = static_cast<double>(run.last_step() - run.step());
    return done > 0.0 && left >= 0.0 ? sitting.seconds / done * left : std::nan("");
}

// A value that a damaged file has, or that the machine does not know, is "-".
std::string number(double value, const char* unit = "") {
    constexpr double kLargest = 1e6;
    if (!(std::abs(value) < kLargest)) {
        return "-";
    }
    return fmt::format("{:.{}f}{}{}", value, std::abs(value) < 100.0 ? 2 : 0, *unit == '\0' ? "" : " ", unit);
}

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.0f} %", 100.0 * share) : "-"; }

std::string bytes(double value) { return value >= 0.0 && std::isfinite(value) ? byte_text(value) : "-"; }

class Composer {
public:
    Composer(const RunView& view, int columns, int lines, Letters letters)
        : view_(view), run_(view.record().history()), frame_(columns, lines), letters_(letters) {}

    Frame compose() {
        state_ = history::state_of(run_, view_.is_alive());
        head();
        graphs(5);
        const bool has_warnings = view_.record().warning_count() > 0;
        last_ = frame_.height() - kFootLines - (has_warnings ? kWarningLines : 0);
        const int below = std::max(stages(10), machine(10));
        warnings(std::min(below + 1, last_));
        foot();
        return std::move(frame_);
    }

private:
    [[nodiscard]] int half() const { return (frame_.columns() - kGap) / 2; }
    [[nodiscard]] int right() const { return half() + kGap; }

    void head() {
        const std::string time = format_duration(run_.seconds());
        const std::string state = name_of(state_);
        const int room = frame_.columns() - columns_of(state) - columns_of(time) - 2 * kGap;
        const std::string name = cut(shown(view_.record().name()), std::max(0, room));
        frame_.put(0, 0, name, Style::title);
        frame_.put(0, columns_of(name) + (name.empty() ? 0 : kGap), state, style_of(state_));
        frame_.put(0, frame_.columns() - columns_of(time), time, Style::faint);

        const double share =
            run_.last_step() > 0
                ? std::min(1.0, static_cast<double>(run_.step()) / static_cast<double>(run_.last_step()))
                : 0.0;
        std::string course = run_.last_step() > 0 ? fmt::format("epoch {}/{}  step {}/{}", run_.epoch(), run_.epochs(),
                                                                run_.step(), run_.last_step())
                                                  : fmt::format("step {}", run_.step());
        if (state_ == RunState::running && !std::isnan(seconds_left(run_))) {
            course += fmt::format("  {} left", format_duration(seconds_left(run_)));
        }
        const std::string percent = fmt::format(" {:3.0f} %", 100.0 * share);
        const int bar_column = columns_of(course) + kGap;
        const int bar_columns = frame_.columns() - bar_column - columns_of(percent);
        frame_.put(1, 0, course);
        if (bar_columns > 3) {
            frame_.put(1, bar_column, bar(share, bar_columns, letters_), Style::busy);
            frame_.put(1, bar_column + bar_columns, percent);
        }

        const std::string limit = history::limit_of(history::split_steps(run_, kRecent), run_.awaited_stage());
        const double step = history::recent_mean(run_.step_series("step_seconds"), kRecent);
        std::string speed = run_.samples_per_second() > 0.0 ? fmt::format("{:.4g} samples/s", run_.samples_per_second())
                                                            : std::string("no step yet");
        if (step > 0.0 && std::isfinite(step)) {
            speed += fmt::format("  {} a step", format_time(step));
        }
        frame_.put(2, 0, limit.empty() ? speed : speed + "  " + limit, Style::title);

        std::string scores;
        if (const double loss = last_of(run_.step_series("loss")); !std::isnan(loss)) {
            scores = fmt::format("loss {:.4g}", loss);
        }
        if (const auto best = run_.best()) {
            scores += fmt::format("  best {} {:.4g} at step {}", best->name, best->value, best->step);
        }
        if (const double rate = last_of(run_.step_series("rate")); !std::isnan(rate)) {
            scores += fmt::format("  rate {:.3g}", rate);
        }
        frame_.put(3, 0, scores);
    }

    void graph(int line, int column, const std::string& title, const std::vector<double>& values, bool from_zero) {
        frame_.put(line, column, title, Style::faint);
        const std::vector<std::string> lines = columns_graph(values, half(), kGraphLines, from_zero, letters_);
        for (int i = 0; i < kGraphLines; ++i) {
            frame_.put(line + 1 + i, column, lines[static_cast<std::size_t>(i)], Style::busy);
        }
    }

    void graphs(int line) {
        if (const Series* const loss = run_.step_series("loss")) {
            graph(line - 1, 0, "loss", loss->values, false);
        }
        const Series* const seconds = run_.step_series("step_seconds");
        if (seconds != nullptr) {
            std::vector<double> speed;
            std::ranges::transform(seconds->values, std::back_inserter(speed),
                                   [](double value) { return value > 0.0 ? 1.0 / value : std::nan(""); });
            graph(line - 1, right(), "speed", speed, true);
        }
    }

    // Return the line after the last one.
    int stages(int line) {
        const double step = history::recent_mean(run_.step_series("step_seconds"), kRecent);
        if (!(step > 0.0)) {
            return line;
        }
        frame_.put(line - 1, 0, "last steps", Style::faint);
        for (const std::string_view stage : history::kStages) {
            if (line >= last_) {
                break;
            }
            const double seconds = history::recent_mean(run_.step_series(std::string(stage) + "_seconds"), kRecent);
            constexpr double kShown = 0.001;  // of a step
            if (!(seconds > kShown * step) || !std::isfinite(seconds / step)) {
                continue;
            }
            const bool computes = stage == "forward" || stage == "backward" || stage == "optimizer";
            frame_.put(line, 0, fmt::format("{:<10}", stage));
            frame_.put(line, 11, bar(seconds / step, kStageColumns, letters_), computes ? Style::good : Style::bad);
            frame_.put(line, 22, fmt::format("{:>9} {:3.0f} %", format_time(seconds), 100.0 * seconds / step));
            ++line;
        }
        return line;
    }

    // Puts the line if there is room. Returns the next one.
    int put_right(int line, const std::string& text, Style style = Style::plain) {
        if (line >= last_) {
            return line;
        }
        frame_.put(line, right(), text, style);
        return line + 1;
    }

    int gauge(int line, const std::string& name, double share, const std::string& text) {
        if (line < last_) {
            frame_.put(line, right(), fmt::format("{:<8}", name));
            frame_.put(line, right() + 9, bar(share, kGaugeColumns, letters_), Style::good);
            frame_.put(line, right() + 10 + kGaugeColumns, text);
        }
        return std::min(line + 1, last_);
    }

    int gpus(int line, const history::UsageRows& usage) {
        std::vector<double> busy;
        double memory = 0.0;
        double watts = 0.0;
        for (int gpu = 0; !usage.column(fmt::format("gpu{}_busy", gpu)).empty(); ++gpu) {
            busy.push_back(usage.last(fmt::format("gpu{}_busy", gpu)));
            memory += usage.last(fmt::format("gpu{}_memory_bytes", gpu));
            watts += usage.last(fmt::format("gpu{}_watts", gpu));
        }
        const int count = static_cast<int>(busy.size());
        if (count > kMostGpus) {
            const double mean = std::accumulate(busy.begin(), busy.end(), 0.0) / count;
            return gauge(line, fmt::format("{} GPUs", count), mean,
                         fmt::format("{}  {}  {}", percent(mean), bytes(memory), number(watts, "W")));
        }
        for (int gpu = 0; gpu < count; ++gpu) {
            const double share = busy[static_cast<std::size_t>(gpu)];
            line = gauge(
                line, fmt::format("GPU {}", gpu), share,
                fmt::format("{}  {}  {}", percent(share), bytes(usage.last(fmt::format("gpu{}_memory_bytes", gpu))),
                            number(usage.last(fmt::format("gpu{}_watts", gpu)), "W")));
        }
        return line;
    }

    int ranks(int line) {
        const std::vector<RunView::Rank>& all = view_.ranks();
        if (all.size() > kMostRanks) {
            double cores = 0.0;
            double memory = 0.0;
            for (const RunView::Rank& rank : all) {
                cores += rank.usage.last("cpu");
                memory += rank.usage.last("resident_bytes");
            }
            return put_right(line,
                             fmt::format("{} other ranks  {}  {}", all.size(), number(cores, "cores"), bytes(memory)));
        }
        for (const RunView::Rank& rank : all) {
            const double busy = rank.usage.last("gpu0_busy");
            line =
                put_right(line, fmt::format("rank {:<3} {}  {}{}", rank.number, number(rank.usage.last("cpu"), "cores"),
                                            bytes(rank.usage.last("resident_bytes")),
                                            std::isnan(busy) ? "" : "  GPU " + percent(busy)));
        }
        return line;
    }

    int machine(int line) {
        const history::UsageRows& usage = view_.record().usage();
        if (usage.size() == 0) {
            return line;
        }
        frame_.put(line - 1, right(), view_.ranks().empty() ? "machine" : "machine of rank 0", Style::faint);
        const double cpu = usage.last("cpu");
        double most = 0.0;
        for (const double value : usage.column("cpu")) {
            most = std::isfinite(value) ? std::max(most, value) : most;
        }
        line = gauge(line, "cpu", cpu / std::max(1.0, std::ceil(most - 0.1)), number(cpu, "cores"));
        const double compute = usage.last("cpu_compute");
        const double input = usage.last("cpu_input");
        line = put_right(line, fmt::format("  compute {}  input {}  rest {}", number(compute), number(input),
                                           number(cpu - compute - input)));
        line = gpus(line, usage);
        line = put_right(line, "memory   " + bytes(usage.last("resident_bytes")));
        if (const double ready = usage.last("batches_ready"); !std::isnan(ready)) {
            constexpr double kEmpty = 0.5;  // batches
            line = put_right(line, fmt::format("batches  {:.1f} ready", ready),
                             ready < kEmpty ? Style::bad : Style::plain);
        }
        line = ranks(line);
        line = put_right(line, fmt::format("disk     {}/s read, {}/s written", bytes(usage.last("disk_read_bytes")),
                                           bytes(usage.last("disk_write_bytes"))));
        if (usage.last("network_in_bytes") > 0.0 || usage.last("network_out_bytes") > 0.0) {
            line = put_right(line, fmt::format("network  {}/s in, {}/s out", bytes(usage.last("network_in_bytes")),
                                               bytes(usage.last("network_out_bytes"))));
        }
        return line;
    }

    void warnings(int line) {
        const std::vector<std::string> warnings = view_.record().warnings();
        const int room = frame_.height() - line - kFootLines - 1;
        if (warnings.empty() || room < 1) {
            return;
        }
        frame_.put(line++, 0, fmt::format("warnings: {}", view_.record().warning_count()), Style::faint);
        const auto count = std::min(warnings.size(), static_cast<std::size_t>(room));
        for (std::size_t i = warnings.size() - count; i < warnings.size(); ++i) {
            frame_.put(line++, 0, warnings[i], Style::bad);
        }
    }

    void foot() {
        const std::string advice = history::advice_on(view_.record().folder(), state_);
        const std::size_t colon = std::min(advice.find(": "), advice.size());
        frame_.put(frame_.height() - 2, 0, advice.substr(0, colon) + (colon < advice.size() ? ":" : ""), Style::faint);
        frame_.put(frame_.height() - 1, 0, "q quits", Style::faint);
        if (colon < advice.size()) {
            frame_.put(frame_.height() - 1, 9, advice.substr(colon + 2));
        }
    }

    const RunView& view_;
    const RunHistory& run_;
    Frame frame_;
    Letters letters_;
    RunState state_ = RunState::starting;
    int last_ = 0;  // line after the last one that stages and machine may use
};

}  // namespace

Frame run_frame(const RunView& run, int columns, int lines, Letters letters) {
    return Composer(run, columns, lines, letters).compose();
}

}  // namespace sluice::watch
