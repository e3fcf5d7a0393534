#include "diagnose/trial/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/machine.hpp"
#include "base/peaks/machine_peaks.hpp"
#include "base/tensor.hpp"
#include "config/cache_entry.hpp"
#include "data/chain/chain.hpp"
#include "diagnose/trial/data_files.hpp"
#include "diagnose/trial/mean.hpp"
#include "diagnose/trial/usage_facts.hpp"
#include "plan/toolbox.hpp"
#include "prepare/prefix.hpp"
#include "profile/report.hpp"
#include "profile/run_memory.hpp"
#include "profile/window_files.hpp"
#include "profile/window_json.hpp"
#include "run/account/step_log.hpp"
#include "run/network/threads.hpp"

namespace sluice::diagnose {
namespace {

using profile::Stage;

// The standard deviation over the mean, without the longest twentieth, which is that of interruptions.
double variation_of(std::vector<double> values) {
    constexpr std::size_t kInterruptions = 20;
    std::ranges::sort(values);
    values.resize(values.size() - values.size() / kInterruptions);
    const double middle = mean(values);
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - middle) * (value - middle);
    }
    return values.size() > 1 && middle > 0.0 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) / middle
                                             : 0.0;
}

// The entries of a process between the beginning and the end of what was watched.
std::vector<run::StepLogEntry> watched_entries(const Laboratory::Watched& watched, std::int64_t rank) {
    std::vector<run::StepLogEntry> entries = run::read_step_log(run::step_log_file(watched.measures, rank));
    std::erase_if(entries, [&](const run::StepLogEntry& entry) {
        return entry.end - entry.total() < watched.began || entry.end > watched.ended;
    });
    return entries;
}

double waits_for_input(const run::StepLogEntry& entry) {
    return entry.seconds[static_cast<std::size_t>(Stage::read)] +
           entry.seconds[static_cast<std::size_t>(Stage::preprocess)];
}

// Adds the mean times of the loop between the first and the last step that ended while the training was watched.
void add_loop(const Laboratory::Watched& watched, Facts& facts) {
    std::vector<run::StepLogEntry> entries = watched_entries(watched, 0);
    while (!entries.empty() && entries.back().step == 0) {
        entries.pop_back();
    }
    std::vector<double> steps;
    for (const run::StepLogEntry& entry : entries) {
        if (entry.step > 0) {
            steps.push_back(entry.total());
        }
    }
    if (steps.empty()) {
        throw Error(Exit::data, fmt::format("no step of the training ended within {:.0f} s; a larger --budget helps",
                                            watched.ended - watched.began));
    }
    facts.steps = static_cast<double>(steps.size());
    facts.seconds = (entries.back().end - entries.front().end + entries.front().total()) / facts.steps;
    facts.variation = variation_of(steps);
    for (const run::StepLogEntry& entry : entries) {
        if (entry.of() == run::Phase::evaluation) {
            facts.evaluation += entry.total() / facts.steps;
            facts.evaluation_input += waits_for_input(entry) / facts.steps;
        } else if (entry.of() == run::Phase::checkpoints) {
            facts.checkpoints += entry.total() / facts.steps;
        } else if (entry.of() == run::Phase::steps) {
            for (std::size_t i = 0; i < profile::kStages; ++i) {
                facts.stages[i] += entry.seconds[i] / facts.steps;
            }
        }
    }
}

// The time of a step by the number of the step: all of it, and that which does not wait for other processes.
struct StepTimes {
    double total = 0.0;
    double own = 0.0;
    double input = 0.0;
};

std::map<std::int64_t, StepTimes> step_times(const std::vector<run::StepLogEntry>& entries) {
    std::map<std::int64_t, StepTimes> times;
    StepTimes step;
    for (const run::StepLogEntry& entry : entries) {
        if (entry.of() == run::Phase::steps) {
            step.total += entry.total();
            step.own += entry.total() - entry.seconds[static_cast<std::size_t>(Stage::exchange)];
            step.input += waits_for_input(entry);
        }
        if (entry.step > 0) {
            times[entry.step] = std::exchange(step, {});
        }
    }
    return times;
}

// The mean of values and its standard error. Neighbours are alike, so that ten blocks of them count.
std::pair<double, double> mean_of_blocks(const std::vector<double>& values) {
    constexpr std::size_t kBlocks = 10;
    std::vector<double> blocks;
    for (std::size_t i = 0; i < kBlocks; ++i) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * values.size() / kBlocks);
        const auto end = values.begin() + static_cast<std::ptrdiff_t>((i + 1) * values.size() / kBlocks);
        if (begin != end) {
            blocks.push_back(mean({begin, end}));
        }
    }
    double squares = 0.0;
    for (const double block : blocks) {
        squares += (block - mean(blocks)) * (block - mean(blocks));
    }
    const auto count = static_cast<double>(blocks.size());
    return {mean(values), count > 1.0 ? std::sqrt(squares / (count - 1.0) / count) : 1.0};
}

// Adds what each of several processes did in the steps that all of them have logged.
void add_processes(const Laboratory::Watched& watched, Facts& facts) {
    const auto environment = nlohmann::json::parse(read_file(watched.run / "environment.json"));
    facts.replicas = environment.at("replicas");
    const std::int64_t count = environment.at("processes");
    if (count == 1) {
        return;
    }
    std::vector<std::map<std::int64_t, StepTimes>> logs;
    for (std::int64_t rank = 0; rank < count; ++rank) {
        logs.push_back(step_times(watched_entries(watched, rank)));
        ProcessTimes& process = facts.processes.emplace_back(ProcessTimes{.rank = rank});
        for (const auto& [step, times] : logs.back()) {
            process.own += times.own / static_cast<double>(logs.back().size());
            process.input += times.input / static_cast<double>(logs.back().size());
        }
    }
    const auto slowest = static_cast<std::size_t>(slowest_process(facts)->rank);
    std::vector<double> lags;
    for (const auto& [step, times] : logs[slowest]) {
        double others = 0.0;
        for (std::size_t rank = 0; rank < logs.size(); ++rank) {
            const auto same = logs[rank].find(step);
            if (rank != slowest && same != logs[rank].end()) {
                others += same->second.own / static_cast<double>(count - 1);
            }
        }
        if (others > 0.0 && times.total > 0.0) {
            lags.push_back((times.own - others) / times.total);
        }
    }
    std::tie(facts.lag, facts.lag_error) = mean_of_blocks(lags);
}

std::vector<nlohmann::json> lines_of(const std::filesystem::path& file) {
    std::vector<nlohmann::json> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (nlohmann::json json = nlohmann::json::parse(line, nullptr, false); !json.is_discarded()) {
            lines.push_back(std::move(json));
        }
    }
    return lines;
}

// Adds what each stage of the input cost a sample while the training was watched.
void add_input(const Laboratory::Watched& watched, const data::Chain& chain, Facts& facts) {
    std::vector<nlohmann::json> lines = lines_of(watched.measures / "input.jsonl");
    if (lines.empty()) {
        return;
    }
    const auto first = std::ranges::find_if(
        lines, [&](const nlohmann::json& line) { return line.at("time").get<double>() >= watched.began; });
    const nlohmann::json& after = lines.back();
    const nlohmann::json& before = first != lines.end() && &*first != &after ? *first : lines.front();
    const auto grown = [&](const char* name) { return after.at(name).get<double>() - before.at(name).get<double>(); };
    const double samples = std::max(grown("samples"), 1.0);
    const double own_samples = facts.samples / std::max(static_cast<double>(facts.processes.size()), 1.0);
    facts.cache_growth = grown("cache_bytes") / samples * own_samples;
    facts.workers = after.at("workers");
    facts.prefetch = after.at("prefetch");
    facts.workers_busy = grown("at_work_seconds") / std::max(grown("worker_seconds"), 1e-9);
    facts.input_queued = grown("queued_seconds") / samples;
    const nlohmann::json& stages = after.at("stages");
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const auto more = [&](const char* name) {
            return stages[i].at(name).get<double>() - before.at("stages")[i].at(name).get<double>();
        };
        facts.input.push_back(
            {.name = stages[i].at("name"),
             .reads = i < chain.stages().size() && chain.reads(i),
             .calls = more("samples") / samples,
             .seconds = more("seconds") / samples,
             .computed = more("computed_seconds") / samples,
             .bytes = stages[i].at("bytes_out").get<double>() / std::max(stages[i].at("samples").get<double>(), 1.0)});
    }
}

// A training that is asked to stop writes a checkpoint. Takes its time if none came while the training was watched.
void add_rare_checkpoints(const Laboratory::Watched& watched, const config::PipelineSpec& spec, Facts& facts) {
    double each = 0.0;
    for (const run::StepLogEntry& entry : run::read_step_log(run::step_log_file(watched.measures, 0))) {
        each += entry.end > watched.ended && entry.of() == run::Phase::checkpoints ? entry.total() : 0.0;
    }
    if (facts.checkpoints == 0.0 && each > 0.0) {
        facts.checkpoints = each / steps_of(spec.checkpoint.every, facts);
        facts.seconds += facts.checkpoints;
        facts.has_rare_checkpoints = true;
    }
}

// The operations of the window that the training recorded.
void add_operations(const Laboratory::Watched& watched, Facts& facts) {
    const std::vector<profile::WindowFile> files = profile::find_windows(watched.run);
    const profile::WindowFile* const file = profile::newest_window(files);
    if (file == nullptr) {
        return;
    }
    const profile::WindowReport report =
        profile::report_on(profile::parse_window(read_file(file->path), file->path.string()), profile::TableBy::layer);
    for (const profile::TableRow& row : report.table.rows) {
        facts.operations.push_back(
            {.layer = row.name, .direction = row.detail, .seconds = row.self, .flop = row.flop, .limit = row.limit});
    }
}

// The first entries of the map whose results are the same in each epoch. A cache counts as no entry.
std::size_t steady_entries(const config::PipelineSpec& spec, const registry::Registry& registry) {
    config::StreamSpec stream = spec.data.train;
    std::erase_if(stream.map, config::is_cache);
    const prepare::RandomKey key{.seed = static_cast<std::uint64_t>(spec.seed), .purpose = "data.train"};
    return stream.map.size() - prepare::choose_prefix(stream, {}, key, registry).left.size();
}

void add_machine(const Laboratory::Watched& watched, const config::PipelineSpec& spec,
                 const registry::Registry& registry, Facts& facts) {
    constexpr double kFaster = 1.3;
    facts.cores = usable_cores();
    facts.available = available_memory();
    const plan::Toolbox tools = plan::open_toolbox(spec, registry);
    facts.is_host_device = tools.device->is_host_memory();
    facts.device_room = static_cast<double>(tools.device->info().free_bytes);
    if (const auto predicted = profile::read_run_memory(watched.run).predicted) {
        facts.device_bytes = static_cast<double>(predicted->bytes);
    }
    if (facts.is_host_device) {
        const run::Threads threads(1);
        facts.has_fast_16_bits =
            machine_peak_rate(*threads.api(), kBfloat16) > kFaster * machine_peak_rate(*threads.api(), kFloat32);
    } else {
        facts.has_fast_16_bits = true;
    }
}

}  // namespace

Facts facts_of(const Laboratory::Watched& watched, const config::PipelineSpec& spec,
               const registry::Registry& registry) {
    Facts facts;
    facts.samples = static_cast<double>(spec.data.batch * spec.train.accumulate);
    add_loop(watched, facts);
    add_processes(watched, facts);
    const auto seed = static_cast<std::uint64_t>(spec.seed);
    const data::Chain chain(spec.data.train, registry, seed, "data.train");
    add_input(watched, chain, facts);
    facts.epoch_samples = static_cast<double>(chain.length());
    if (spec.data.validation) {
        const data::Chain validation(*spec.data.validation, registry, seed, "data.validation");
        facts.validation_samples = static_cast<double>(validation.length());
    }
    facts.has_files = !data_files(spec, 1).empty();
    facts.steady_entries = steady_entries(spec, registry);
    add_rare_checkpoints(watched, spec, facts);
    add_usage(watched, facts);
    add_operations(watched, facts);
    add_machine(watched, spec, registry, facts);
    add_room(spec, facts);
    const double epochs = static_cast<double>(spec.train.epochs) * facts.epoch_samples / facts.samples;
    facts.length = facts.seconds * (spec.train.steps ? static_cast<double>(*spec.train.steps) : epochs);
    return facts;
}

}  // namespace sluice::diagnose
