#include "cli/training/training.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/process_place.hpp"
#include "base/sha256.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/counted.hpp"
#include "bench/device_peaks.hpp"
#include "cli/terminal/error_report.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/training/closing_lines.hpp"
#include "cli/training/environment_json.hpp"
#include "cli/training/measure_log.hpp"
#include "cli/training/memory_forecast.hpp"
#include "cli/training/opening_lines.hpp"
#include "cli/training/shared_errors.hpp"
#include "cli/training/shared_samples.hpp"
#include "cli/training/stage_logger.hpp"
#include "cli/training/stop_code.hpp"
#include "cli/training/training_data.hpp"
#include "launch/launcher_connection.hpp"
#include "observe/usage/sampler.hpp"
#include "plan/plan_text.hpp"
#include "profile/growth.hpp"
#include "profile/start_parts.hpp"
#include "report/report_writer.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"
#include "run/collective/sharing.hpp"
#include "run/collective/timeouts.hpp"
#include "run/membership/agreement.hpp"
#include "run/membership/same_training.hpp"
#include "run/network/replica_lost.hpp"
#include "run/network/threads.hpp"
#include "run/pretrained/pretrained.hpp"
#include "run/setup/open_optimizer.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {
namespace {

struct Observers {
    std::vector<registry::Observer> free;
    std::vector<registry::Observer> held;  // the run waits for them
};

constexpr double kShortestJudged = 10.0;  // seconds of a run, from which its limit is logged

// Processes after the first send only these events, so that each recorder writes the windows of its process.
constexpr std::uint64_t kOfEachRank =
    1U << SLUICE_EVENT_RUN_BEGIN | 1U << SLUICE_EVENT_PROFILE | 1U << SLUICE_EVENT_RUN_END;

// Processes after the first open only observers that record windows.
Observers open_observers(const config::PipelineSpec& spec, const registry::Registry& registry, bool quiet) {
    Observers observers;
    for (const config::ObserverSpec& one : spec.observers) {
        const config::ComponentSpec& wanted = one.component;
        if (quiet && wanted.use == "progress") {
            continue;
        }
        const registry::Component component = registry.find(registry::Kind::observer, wanted.use, wanted.origin);
        registry::Observer observer(component, registry.options(component, wanted), wanted.origin);
        if (process_place().rank == 0 || (observer.wants() >> SLUICE_EVENT_PROFILE & 1) != 0) {
            (one.hold ? observers.held : observers.free).push_back(std::move(observer));
        }
    }
    return observers;
}

void pin_threads(const config::PipelineSpec& spec) {
    if (spec.pin && !run::pin_threads(own_cores())) {
        log::warn(
            "device.pin: the OpenMP runtime was loaded before its threads could be pinned; set OMP_PROC_BIND=true");
    }
}

plan::Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry,
                           const std::string& choices) {
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    tools.choices->restore(choices);
    return tools;
}

// Evaluation is prepared before training, so that a wrong metric or too little memory fails now, not after an epoch.
void prepare_loaders(TrainingData& data, const run::TrainingReplicas& replicas) {
    data.train_loader().expect_labels(replicas.group().first().network().plan().graph.labels);
    if (data.validation() != nullptr) {
        data.validation_loader()->expect_labels(replicas.prepare_evaluation(*data.validation()));
    }
}

// Loader threads yield to the threads that compute if both run on the same cores.
void give_way(TrainingData& data, const run::TrainingReplicas& replicas) {
    if (replicas.group().first().runner().device()->is_host_memory()) {
        data.train_loader().give_way();
        if (data.validation() != nullptr) {
            data.validation_loader()->give_way();
        }
    }
}

// The first process makes the folder and starts to write into it, then sends its path to the others.
run::RunFolder open_folder(TrainingRequest& request, const Common& common, const run::TrainingReplicas& replicas) {
    const registry::Processes& processes = replicas.processes();
    const auto share_path = [&](const std::filesystem::path& path) {
        return processes.from_first(path.string(), "the run's folder", run::kRareWorkTimeout);
    };
    if (!processes.is_first()) {
        return run::RunFolder::join(share_path({}));
    }
    run::RunFolder folder = request.resumed
                                ? std::move(*request.resumed)
                                : run::RunFolder::create(request.runs, request.spec.name, request.exact_folder);
    if (!request.resumed) {
        run::describe_run(folder, request.pipeline_file, request.spec,
                          environment_json(processes.count(), replicas.world()));
    } else {
        if (!common.sets.empty()) {
            run::write_resolved(folder, request.spec, request.recorded);
        }
        run::clean_up(folder, {.step = request.progress.step,
                               .moves_newer = request.moves_newer,
                               .best = request.best_checkpoint,
                               .keep = request.spec.checkpoint.keep});
    }
    log::open_file(folder.path() / "log.txt");
    static_cast<void>(share_path(folder.path()));
    return folder;
}

// Each process has a file of its own. A process on another machine may not see the run's folder.
std::filesystem::path usage_file(const run::RunFolder& folder) {
    const std::int64_t rank = process_place().rank;
    std::error_code none;
    if (rank > 0 && !std::filesystem::is_directory(folder.path(), none)) {
        return {};
    }
    return folder.path() / (rank == 0 ? "usage.csv" : fmt::format("usage-rank-{}.csv", rank));
}

// Lists the plan of a replica and the memory that it needs, as `host plan` does.
std::string plan_text(const config::PipelineSpec& spec, const registry::Registry& registry,
                      const run::TrainingReplicas& replicas) {
    run::Replica& first = replicas.group().first();
    const plan::Plan& made = first.network().plan();
    const registry::Device& device = *first.runner().device();
    const std::size_t states = run::open_optimizer(spec, registry, device.kind()).states().size();
    const MemoryForecast forecast = forecast_memory(spec, device, made, states, replicas.topology());
    return plan::list_plan(made) + plan::list_memory(forecast.need, forecast.weights);
}

// Samples what a training uses of the machine, until the end of the scope.
class SampledTraining {
public:
    SampledTraining(observe::Sampler& sampler, observe::Bus& bus, const run::RunFolder& folder,
                    const run::TrainingReplicas& replicas, const data::Loader& loader)
        : sampler_(sampler) {
        std::vector<std::shared_ptr<const registry::Device>> devices(replicas.group().size());
        replicas.group().each([&](run::Replica& one, std::uint32_t local) { devices[local] = one.runner().device(); });
        sampler_.begin({.file = usage_file(folder),
                        .bus = &bus,
                        .batches_ready = [&loader] { return loader.ready(); },
                        .devices = std::move(devices)});
    }
    ~SampledTraining() { sampler_.end(); }
    SampledTraining(const SampledTraining&) = delete;
    SampledTraining& operator=(const SampledTraining&) = delete;

private:
    observe::Sampler& sampler_;
};

run::Outcome train(run::Trainer& trainer, const TrainingRequest& request, const data::Chain& chain,
                   const data::Loader& loader) {
    std::optional<MeasureLog> measured;
    if (!request.measures.empty()) {
        measured.emplace(request.measures, trainer, chain, loader);
    }
    std::optional<StageLogger> stages;
    if (request.logs_stages) {
        stages.emplace(loader);
    }
    try {
        return trainer.run(request.progress, request.before ? &*request.before : nullptr);
    } catch (const std::bad_alloc& failure) {
        throw OutOfMemory(fmt::format("step {}: {}", trainer.progress().step + 1, out_of_memory_text(failure)));
    }
}

// Returns why the run's tables or pictures are incomplete; empty: they are complete.
std::string missing_text(const observe::Bus& bus, const run::RunFolder& folder) {
    const std::string reason = bus.unfinished();
    return reason.empty() ? reason
                          : fmt::format("{}: the observers could not write all of the run's files: {}",
                                        folder.path().string(), reason);
}

void report_failed_end(run::Trainer& trainer, const observe::Bus& bus, const run::RunFolder& folder,
                       report::ReportWriter& report, const char* how) {
    trainer.emit_end(how);
    if (const std::string missing = missing_text(bus, folder); !missing.empty()) {
        log::warn(missing);
    }
    report.finish();
}

// Exits without destroying anything, because threads that never return still use the objects.
[[noreturn]] void exit_without_cleanup(const std::string& text, int code) {
    report_error(text);
    if (launch::LauncherConnection* const launcher = launch::own_connection()) {
        launcher->leave(code);
    }
    std::_Exit(code);
}

std::filesystem::path last_checkpoint(const run::RunFolder& folder) {
    return folder.checkpoints() / run::kLastCheckpoint;
}

[[noreturn]] void leave(const Error& error, const run::RunFolder& folder, bool is_at_once) {
    const std::filesystem::path last = last_checkpoint(folder);
    const std::string saved =
        std::filesystem::exists(last) ? fmt::format("; the last checkpoint is {}", last.string()) : "";
    if (is_at_once) {
        exit_without_cleanup(error.what() + saved, static_cast<int>(error.exit()));
    }
    throw Error(error.exit(), error.what() + saved);
}

void report_checkpoint(const run::RunFolder& folder) {
    launch::LauncherConnection* const launcher = launch::own_connection();
    if (launcher != nullptr && process_place().rank == 0) {
        launcher->report_checkpoint(last_checkpoint(folder).string());
    }
}

launch::LauncherConnection::Callbacks callbacks_of(const run::TrainingReplicas& replicas) {
    return {.lost =
                [&replicas](const std::string& reason) {
                    run::report_replica_lost(reason);
                    replicas.give_up(reason);
                },
            .stop = [](int signal) { ask_to_stop(signal); }};
}

// The weights that a new run starts from. They are read before data is prepared, so that a wrong file fails at once.
std::unique_ptr<const run::PretrainedWeights> read_pretrained(const TrainingRequest& request,
                                                              const run::TrainingReplicas& replicas) {
    const config::ModelSpec& model = request.spec.model;
    if (model.weights.empty() || !request.resume_checkpoint.empty()) {
        return nullptr;
    }
    auto weights = run::read_pretrained(model.weights, model, replicas.group().first().network().plan().graph);
    if (replicas.processes().count() > 1) {
        const std::string_view whole[] = {weights->file.data};
        run::expect_same(replicas.processes(), {{"weights", "sha256 of the file", sha256(whole)}});
    }
    if (replicas.processes().is_first()) {
        log::info(run::pretrained_text(*weights));
    }
    return weights;
}

// Prepares the loaders, and loads the weights or the checkpoint that a run starts from.
void prepare(TrainingData& data, const run::TrainingReplicas& replicas, const TrainingRequest& request) {
    if (const auto weights = read_pretrained(request, replicas)) {
        replicas.group().each([&](run::Replica& one, std::uint32_t) { run::load_pretrained(*weights, one); });
    }
    prepare_loaders(data, replicas);
    share_samples(data, replicas, request.spec);
    give_way(data, replicas);
    if (!request.resume_checkpoint.empty()) {
        replicas.group().each(
            [&](run::Replica& one, std::uint32_t) { run::load_checkpoint(request.resume_checkpoint, one); });
    }
}

}  // namespace

int run_training(TrainingRequest request, const Common& common) {
    const config::PipelineSpec& spec = request.spec;
    profile::StartParts start;
    const registry::Registry registry = open_registry(common);
    start.end("program and plugins");
    TrainingData data(spec, registry);
    Observers observers = open_observers(spec, registry, common.quiet);
    if (process_place().rank > 0) {  // only the first process logs progress
        log::set_level(log::Level::warning);
    }
    const int cores = usable_cores();
    // Threads that do not compute start before any plugin may load the OpenMP runtime. If that pins the thread that
    // loads it, later threads inherit the pinning.
    data.start(spec, cores);
    observe::Bus bus(std::move(observers.free), {}, std::move(observers.held));
    if (process_place().rank > 0) {
        bus.limit_to(kOfEachRank);
    }
    observe::Sampler sampler;
    report::ReportWriter report;
    start.end("data and observers");
    pin_threads(spec);
    plan::Toolbox tools = open_toolbox(spec, registry, request.choices);
    run::TrainingReplicas replicas(spec, tools, cores);
    start_together(replicas, [&] {
        run::expect_same_training(spec, registry, tools, data.train(), data.validation(), replicas.processes());
        replicas.make(std::move(tools), data.train());
    });
    start.end("model and its plan");
    replicas.set_peak_meter(bench::make_peak_meter(spec, replicas.policy().name, replicas.threads().threads));
    launch::LauncherConnection* const launcher = launch::own_connection();
    std::optional<launch::Listening> listening;
    if (launcher != nullptr) {
        listening.emplace(*launcher, callbacks_of(replicas));
    }
    std::optional<run::RunFolder> opened;
    start_together(replicas, [&] {
        run::expect_same_progress(registry, replicas.group().first(), request.progress.step, replicas.processes());
        prepare(data, replicas, request);
        // If one process cannot start, the run's folder stays unchanged.
        static_cast<void>(run::asks_any(replicas.processes(), false, "start of training"));
        opened.emplace(open_folder(request, common, replicas));
    });
    const run::RunFolder& folder = *opened;
    start.end(request.resume_checkpoint.empty() ? "evaluation and folder" : "evaluation, checkpoint and folder");
    if (replicas.processes().is_first()) {
        write_file_atomically(folder.path() / "plan.txt", plan_text(spec, registry, replicas));
    }
    if (spec.what_if.leaves_work_out() && replicas.processes().is_first()) {
        log::warn("[what_if] leaves work out to measure what it costs; the weights of this run are worthless");
    }
    if (!request.resumed && replicas.processes().is_first()) {
        warn_of_replica_count(spec, replicas.world());
    }
    print_opening(spec, replicas, data, folder.path());

    if (replicas.processes().is_first()) {
        report.begin(folder.path());
    }
    report_checkpoint(folder);
    catch_stop_signals("stopping after this step and saving");
    run::Trainer trainer(spec, replicas, data.train_loader(), data.validation_loader(), bus, folder, [&] {
        return launcher != nullptr ? launcher->ask_if_saver() : replicas.processes().is_first();
    });
    if (launcher != nullptr) {
        launcher->begin_training();
    }
    int code = 0;
    try {
        run::Outcome outcome = run::Outcome::interrupted;
        fail_together(replicas.processes(), [&] {
            const SampledTraining sampled(sampler, bus, folder, replicas, data.train_loader());
            outcome = train(trainer, request, data.train(), data.train_loader());
        });
        const bool finished = outcome == run::Outcome::finished;
        trainer.emit_end(finished ? "finished" : "interrupted");
        if (finished && trainer.progress().step == request.progress.step && request.resumed) {
            print_how_to_train_further(spec, request.progress, folder.path());
        }
        print_account(trainer.account(), start.text(), trainer.clock_cost());
        if (replicas.processes().is_first() && trainer.account().total() >= profile::kShortestGrowth) {
            warn_of_growth(folder.path());
        }
        if (replicas.processes().is_first() && trainer.account().total() >= kShortestJudged) {
            print_verdict(folder.path());
        }
        print_closing(spec, data.train(), trainer.progress().step, outcome, folder.path());
        report.finish();
        code = finished ? 0 : report_stop(replicas.processes());
    } catch (const ReportedError&) {
        report_failed_end(trainer, bus, folder, report, "failed");
        throw;
    } catch (const Error& error) {
        report_failed_end(trainer, bus, folder, report, error.exit() == Exit::diverged ? "diverged" : "failed");
        replicas.give_up(error.what());
        leave(error, folder, replicas.group().is_stuck() || data.has_given_up());
    }
    if (const std::string missing = missing_text(bus, folder); !missing.empty()) {
        throw Error(Exit::save, missing + removed_folder_text(folder.path()));
    }
    return code;
}

}  // namespace sluice::cli
