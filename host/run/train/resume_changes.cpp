#include "run/train/resume_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/counted.hpp"
#include "run/schedule/schedule.hpp"

namespace sluice::run {
namespace {

std::string count_in(const std::string& order) { return order.substr(0, order.find(':')); }

// Returns why the number of the next batch names another place now; empty if it does not.
std::string epoch_restart_reason(const Progress& progress, std::uint64_t batches, const std::string& order) {
    const std::string& before = progress.data.order;
    if (progress.epoch_batches != batches) {
        return fmt::format("an epoch has {}, and had {} when the run was stopped in one", counted(batches, "batch"),
                           progress.epoch_batches);
    }
    if (before.empty() || before == order) {
        return {};
    }
    return count_in(before) != count_in(order)
               ? fmt::format("an epoch has {}, and had {} when the run was stopped in one",
                             counted(count_in(order), "sample"), count_in(before))
               : "samples come in another order than when the run was stopped in an epoch: the seed, the order, the "
                 "sampling or its weights have changed";
}

// Weights that were kept before skipped steps may be of an epoch's last step.
void enter_next_epoch(Progress& progress) {
    ++progress.epoch;
    progress.batch = 0;
    progress.epoch_loss = {};
    progress.loader_state.digest_state.clear();
    progress.loader_state.digested = 0;
    progress.data = {};
}

using MeasureParts = std::vector<std::pair<std::string, std::string>>;

// Returns what the values of that monitor depend on, as pairs of a name and a text.
MeasureParts measure_of(const config::PipelineSpec& spec, const std::string& monitor) {
    const Value* const validation = spec.resolved.find("data")->as_table()->find("validation");
    const std::string& name = monitor.empty() && !spec.metrics.empty() ? spec.metrics.front().use : monitor;
    const auto metric = std::ranges::find(spec.metrics, name, &config::ComponentSpec::use);
    const Value* const loss = spec.resolved.find("loss");
    return {{"[data.validation]", validation != nullptr ? to_toml(*validation) : ""},
            {"seed", std::to_string(spec.seed)},
            {"the metric", metric != spec.metrics.end() ? name + to_toml({metric->options, {}}) : to_toml(*loss)}};
}

// Returns the names of the parts that differ; empty: none does.
std::string changed_parts(const MeasureParts& before, const MeasureParts& now) {
    std::string names;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (before[i] != now[i]) {
            names += (names.empty() ? "" : ", ") + now[i].first;
        }
    }
    return names;
}

}  // namespace

std::optional<std::string> fit_epoch(Progress& progress, std::uint64_t batches, const std::string& order) {
    if (progress.batch > 0 && progress.batch == progress.epoch_batches) {
        enter_next_epoch(progress);
    }
    std::optional<std::string> warning;
    const std::string before = count_in(progress.data.order);
    const std::string now = count_in(order);
    if (progress.batch > 0) {
        if (const std::string reason = epoch_restart_reason(progress, batches, order); !reason.empty()) {
            warning = fmt::format("{}: epoch {} begins anew", reason, progress.epoch + 1);
            progress.batch = 0;
            progress.epoch_loss = {};
            progress.loader_state = {};
        }
    } else if (!before.empty() && before != now) {
        warning = fmt::format("an epoch has {} from epoch {} on, and had {} before", counted(now, "sample"),
                              progress.epoch + 1, before);
    }
    progress.epoch_batches = batches;
    return warning;
}

std::optional<std::string> fit_class_names(Progress& progress, const data::ClassNames& now) {
    std::optional<std::string> warning;
    if (const auto difference = data::find_difference(progress.class_names, now)) {
        const auto shown = [](const std::string& name) { return name.empty() ? "nameless" : "'" + name + "'"; };
        warning = fmt::format(
            "class {} of field '{}' is {} in the data now; it was {} when the run was stopped. If more than "
            "its name has changed, the model has learnt other classes than it is trained on: begin a new "
            "run, or restore the order of classes",
            difference->number, difference->field, shown(difference->second), shown(difference->first));
    }
    if (!now.empty()) {
        progress.class_names = now;
    }
    return warning;
}

std::optional<std::string> reset_changed_best(Progress& progress, const config::PipelineSpec& before,
                                              const config::PipelineSpec& now) {
    std::optional<std::string> warning;
    const std::string best =
        changed_parts(measure_of(before, before.checkpoint.monitor), measure_of(now, now.checkpoint.monitor));
    // Without validation data nothing is evaluated, so the best stays.
    if (progress.best && !best.empty() && now.data.validation) {
        warning = fmt::format(
            "the measure of the best checkpoint has changed ({}): the best one, of step {}, moves to "
            "checkpoints/left, and the next evaluation starts over",
            best, progress.best_step);
        progress.best.reset();
        progress.best_step = 0;
    }
    if (!changed_parts(measure_of(before, before.schedule.monitor), measure_of(now, now.schedule.monitor)).empty()) {
        progress.plateau.best.reset();
        progress.plateau.waited = 0;
    }
    return warning;
}

std::vector<std::string> describe_changes(const config::PipelineSpec& before, const config::PipelineSpec& now,
                                          const Progress& progress, double next_rate) {
    std::vector<std::string> lines;
    if (now.rate != before.rate && next_rate != scaled_rate(now)) {
        lines.push_back(
            fmt::format("optimizer.rate is {:g}, and schedule \"{}\" continues where it is: the next step has rate "
                        "{:.3g}; schedule.use = \"constant\" takes {:g} as it is",
                        now.rate, config::name_of(now.schedule.use), next_rate, scaled_rate(now)));
    }
    if (const auto epochs = static_cast<std::uint64_t>(now.train.epochs); now.train.epochs != before.train.epochs) {
        lines.push_back(fmt::format("train.epochs = {} counts from the beginning of the run: {} done, {} left", epochs,
                                    progress.epoch, epochs - std::min(epochs, progress.epoch)));
    }
    return lines;
}

}  // namespace sluice::run
