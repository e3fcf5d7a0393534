#include "watch/run_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

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

class Composer {
public:
    Composer(const RunView& view, int columns, int lines, Letters letters)
        : view_(view), run_(view.record().history()), frame_(columns, lines), letters_(letters) {}

    Frame compose() {
        state_ = history::state_of(run_, view_.is_alive());
        head();
        graphs(5);
        const int below = std::max(stages(10), machine(10));
        warnings(below + 1);
        foot();
        return std::move(frame_);
    }

private:
    [[nodiscard]] int half() const { return (frame_.columns() - kGap) / 2; }
    [[nodiscard]] int right() const { return half() + kGap; }

    void head() {
        const std::string name = view_.record().name();
        frame_.put(0, 0, name, Style::title);
        frame_.put(0, columns_of(cut(name, frame_.columns())) + kGap, name_of(state_), style_of(state_));
        const std::string time = format_duration(run_.seconds());
        frame_.put(0, frame_.columns() - columns_of(time), time, Style::faint);

        const double share =
            run_.last_step() > 0 ? static_cast<double>(run_.step()) / static_cast<double>(run_.last_step()) : 0.0;
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

        const std::string limit = history::limit_of(history::split_steps(run_, kRecent));
        const double step = history::recent_mean(run_.step_series("step_seconds"), kRecent);
        std::string speed = run_.samples_per_second() > 0.0 ? fmt::format("{:.4g} samples/s", run_.samples_per_second())
                                                            : std::string("no step yet");
        if (step > 0.0) {
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
            const double seconds = history::recent_mean(run_.step_series(std::string(stage) + "_seconds"), kRecent);
            constexpr double kShown = 0.001;  // of a step
            if (!(seconds > kShown * step)) {
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

    void gauge(int line, const std::string& name, double share, const std::string& text, Style style) {
        frame_.put(line, right(), fmt::format("{:<8}", name));
        frame_.put(line, right() + 9, bar(share, kGaugeColumns, letters_), style);
        frame_.put(line, right() + 10 + kGaugeColumns, text);
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
        gauge(line++, "cpu", cpu / std::max(1.0, std::ceil(most - 0.1)), fmt::format("{:.2f} cores", cpu), Style::good);
        frame_.put(line++, right() + 2,
                   fmt::format("compute {:.2f}  input {:.2f}  rest {:.2f}", usage.last("cpu_compute"),
                               usage.last("cpu_input"), cpu - usage.last("cpu_compute") - usage.last("cpu_input")));
        for (int gpu = 0; !std::isnan(usage.last(fmt::format("gpu{}_busy", gpu))); ++gpu) {
            const double busy = usage.last(fmt::format("gpu{}_busy", gpu));
            gauge(line++, fmt::format("GPU {}", gpu), busy,
                  fmt::format("{:.0f} %  {}  {:.0f} W", 100.0 * busy,
                              byte_text(usage.last(fmt::format("gpu{}_memory_bytes", gpu))),
                              usage.last(fmt::format("gpu{}_watts", gpu))),
                  Style::good);
        }
        frame_.put(line++, right(), fmt::format("memory   {}", byte_text(usage.last("resident_bytes"))));
        if (const double ready = usage.last("batches_ready"); !std::isnan(ready)) {
            frame_.put(line, right(), fmt::format("batches  {:.1f} ready", ready),
                       ready < 0.5 ? Style::bad : Style::plain);
            ++line;
        }
        frame_.put(line++, right(),
                   fmt::format("disk     {}/s read, {}/s written", byte_text(usage.last("disk_read_bytes")),
                               byte_text(usage.last("disk_write_bytes"))));
        if (usage.last("network_in_bytes") > 0.0 || usage.last("network_out_bytes") > 0.0) {
            frame_.put(line++, right(),
                       fmt::format("network  {}/s in, {}/s out", byte_text(usage.last("network_in_bytes")),
                                   byte_text(usage.last("network_out_bytes"))));
        }
        for (const RunView::Rank& rank : view_.ranks()) {
            std::string text = fmt::format("rank {:<3} {:.2f} cores  {}", rank.number, rank.usage.last("cpu"),
                                           byte_text(rank.usage.last("resident_bytes")));
            if (const double busy = rank.usage.last("gpu0_busy"); !std::isnan(busy)) {
                text += fmt::format("  GPU {:.0f} %", 100.0 * busy);
            }
            frame_.put(line++, right(), text);
        }
        return line;
    }

    void warnings(int line) {
        const std::vector<std::string> warnings = view_.record().warnings();
        const int room = frame_.height() - line - 3;
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
};

}  // namespace

Frame run_frame(const RunView& run, int columns, int lines, Letters letters) {
    return Composer(run, columns, lines, letters).compose();
}

}  // namespace sluice::watch
