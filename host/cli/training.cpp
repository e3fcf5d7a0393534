#include "cli/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "cli/environment.hpp"
#include "cli/stage_watch.hpp"
#include "plan/listing.hpp"
#include "run/checkpoint_folder.hpp"
#include "run/policy_choice.hpp"
#include "run/session.hpp"
#include "run/sharing.hpp"
#include "run/signals.hpp"

namespace sluice::cli {
namespace {

std::vector<registry::Observer> open_observers(const config::PipelineSpec& spec, const registry::Registry& registry,
                                               bool quiet) {
    std::vector<registry::Observer> observers;
    for (const config::ComponentSpec& wanted : spec.observers) {
        if (quiet && wanted.use == "progress") {
            continue;
        }
        const registry::Component component = registry.find(registry::Kind::observer, wanted.use, wanted.origin);
        observers.emplace_back(component, registry.options(component, wanted), wanted.origin);
    }
    return observers;
}

void check_monitor(const config::PipelineSpec& spec, bool validated) {
    const std::string& monitor = spec.checkpoint.monitor;
    const bool known = monitor.empty() || monitor == "loss" ||
                       std::ranges::any_of(spec.metrics, [&](const auto& metric) { return metric.use == monitor; });
    if (!known || (!monitor.empty() && !validated)) {
        throw Error(Exit::config, fmt::format("[checkpoint] monitors '{}', which {}", monitor,
                                              known ? "needs [data.validation]" : "is not in [metrics]"));
    }
}

void print_opening(const config::PipelineSpec& spec, const run::Replica& replica, const data::Chain& train,
                   const run::ThreadPlan& threads, std::uint32_t replicas, const std::filesystem::path& folder) {
    const plan::Plan& plan = replica.plan();
    log::info(fmt::format("device  {}", replica.device().info().name));
    log::info(fmt::format("threads {}{} compute{}, at most {} data worker(s)",
                          replicas > 1 ? fmt::format("{} replicas, in each ", replicas) : "", threads.threads,
                          spec.pin ? ", pinned" : "", run::loader_options(spec, true, usable_cores()).most_workers));
    log::info(fmt::format("data    {} samples, {} a batch", train.length(), spec.data.batch));
    log::info(fmt::format("model   {} parameters, {}FLOP forward a sample, arena {}",
                          plan::metric_number(static_cast<double>(plan::parameter_total(plan.graph))),
                          plan::metric_number(plan::flops_total(plan.graph) / static_cast<double>(plan.batch)),
                          plan::byte_text(static_cast<double>(plan.memory.arena_bytes))));
    if (plan.pieces > 1) {
        log::info(fmt::format("pieces  {}", plan::pieces_text(plan)));
    }
    log::info(fmt::format("run     {}", folder.string()));
}

void print_closing(const run::Trainer& trainer, run::Ending ending, const std::filesystem::path& folder,
                   bool makes_pictures) {
    const std::filesystem::path checkpoints = folder / "checkpoints";
    const bool best = std::filesystem::exists(checkpoints / "best.safetensors");
    const std::string chosen = (checkpoints / (best ? "best.safetensors" : "last.safetensors")).string();
    log::info(fmt::format("{} at step {}", ending == run::Ending::finished ? "finished" : "stopped and saved",
                          trainer.progress().step));
    if (makes_pictures) {
        log::info(
            fmt::format("predict   {} predict {} --input PICTURE --output restored", program(), shell_quoted(chosen)));
    }
    log::info(fmt::format("evaluate  {} evaluate {}", program(), shell_quoted(chosen)));
    if (ending == run::Ending::interrupted) {
        log::info(fmt::format("resume    {} resume {}", program(), shell_quoted(folder.string())));
    }
}

// A run that is resumed after its end trains no step: which value is to be raised for more.
std::string how_to_train_on(const config::PipelineSpec& spec, std::uint64_t step, const std::filesystem::path& folder) {
    const std::string longer = spec.train.steps && static_cast<std::uint64_t>(*spec.train.steps) <= step
                                   ? fmt::format("train.steps={}", 2 * std::max<std::uint64_t>(step, 1))
                                   : fmt::format("train.epochs={}", 2 * spec.train.epochs);
    return fmt::format("the run had finished at step {}; to train on: {} resume {} --set {}", step, program(),
                       shell_quoted(folder.string()), longer);
}

run::RunFolder open_folder(TrainingRequest& request, const Common& common) {
    if (request.resumed) {
        if (!common.sets.empty()) {
            run::write_resolved(*request.resumed, request.spec, request.recorded);
        }
        return std::move(*request.resumed);
    }
    run::RunFolder folder = run::RunFolder::create(request.runs, request.spec.name, request.exact_folder);
    run::describe_run(folder, request.pipeline_file, request.spec, environment_json());
    return folder;
}

}  // namespace

int run_training(TrainingRequest request, const Common& common) {
    const config::PipelineSpec& spec = request.spec;
    const registry::Registry registry = open_registry(common);
    const auto seed = static_cast<std::uint64_t>(spec.seed);
    const data::Chain train(spec.data.train, registry, seed, "data.train");
    std::optional<data::Chain> validation;
    if (spec.data.validation) {
        validation.emplace(*spec.data.validation, registry, seed, "data.validation");
    }
    check_monitor(spec, validation.has_value());
    std::vector<registry::Observer> observers = open_observers(spec, registry, common.quiet);
    const int cores = usable_cores();
    // Threads that do not compute start before the plugins that may load the OpenMP runtime: where it pins the thread
    // that loads it, they would inherit that.
    data::Loader train_loader(train, run::loader_options(spec, true, cores));
    std::optional<data::Loader> validation_loader;
    if (validation) {
        data::LoaderOptions options = run::loader_options(spec, false, cores);
        options.batch = run::validation_batch(spec, *validation);
        validation_loader.emplace(*validation, options);
    }
    observe::Bus bus(std::move(observers));
    if (spec.pin && !run::pin_threads()) {
        log::warn("device.pin: the OpenMP runtime was loaded before the program could tell it; set OMP_PROC_BIND=true");
    }
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    tools.choices->restore(request.choices);
    const registry::Strategy strategy = run::open_strategy(spec, tools, cores);
    const registry::Optimizer optimizer = run::open_optimizer(spec, registry, tools.device->kind());
    const std::vector<std::string> fields = run::model_fields(spec.model);

    const sluice_topology& topology = strategy.topology();
    tools.sharers = tools.device->is_host_memory() ? topology.local_replicas : 1;
    const auto batch = run::batch_fields(train, fields, run::shard_batch(spec, topology, spec.data.batch));
    const run::ThreadPlan threads =
        run::thread_plan(spec, tools, batch, plan::Mode::train, run::cores_of_shard(spec, topology, cores));
    const run::PolicyChoice policy = run::settle_policy({spec, optimizer, batch, threads.threads}, tools);
    std::deque<plan::Toolbox> more_tools;
    std::deque<registry::Optimizer> more_optimizers;
    for (std::uint32_t i = 1; i < topology.local_replicas; ++i) {
        more_tools.push_back(plan::open_toolbox_beside(tools, spec, i));
        run::adopt_policy(policy.name, more_tools.back());
        more_optimizers.push_back(run::open_optimizer(spec, registry, tools.device->kind()));
    }
    const run::ReplicaGroup replicas(strategy, [&](std::uint32_t number) {
        const plan::Toolbox& own_tools = number == 0 ? tools : more_tools[number - 1];
        const registry::Optimizer& own_optimizer = number == 0 ? optimizer : more_optimizers[number - 1];
        const run::ReplicaPlace place{.strategy = &strategy,
                                      .local = number,
                                      .number = topology.first_replica + number,
                                      .world = topology.world_replicas,
                                      .shards = run::shard_count(spec, topology)};
        return std::make_unique<run::Replica>(spec, own_tools, &own_optimizer, batch, threads.threads, place);
    });
    const run::Replica& replica = replicas.first();
    train_loader.expect_labels(replica.plan().graph.labels);
    if (validation) {
        // Here for what it finds wrong: a metric or memory that does not suffice is not to be met after the first
        // epoch.
        const auto validated = run::batch_fields(
            *validation, fields, run::shard_batch(spec, topology, run::validation_batch(spec, *validation)));
        replicas.each([&](run::Replica& one, std::uint32_t number) {
            const plan::Plan& plan = one.prepare(plan::Mode::evaluate, validated);
            if (number == 0) {
                validation_loader->expect_labels(plan.graph.labels);
            }
        });
    }
    if (!request.resume_checkpoint.empty()) {
        replicas.each([&](run::Replica& one, std::uint32_t) { run::load_checkpoint(request.resume_checkpoint, one); });
    }
    const bool resumed = request.resumed.has_value();
    const run::RunFolder folder = open_folder(request, common);
    if (request.leaves_newer) {
        run::leave_newer_checkpoints(folder.checkpoints(), request.progress.step, request.progress.best_step);
    }
    log::open_file(folder.path() / "log.txt");
    print_opening(spec, replica, train, threads, topology.world_replicas, folder.path());
    if (!policy.name.empty()) {
        log::info(fmt::format("precision {}: {} ({})", policy.asked, policy.name, policy.why));
    }

    run::catch_signals();
    run::Trainer trainer(spec, replicas, topology.world_replicas, train_loader,
                         validation_loader ? &*validation_loader : nullptr, bus, folder);
    const auto end = [&](const char* how) {
        bus.emit({.kind = SLUICE_EVENT_RUN_END,
                  .epoch = static_cast<std::int64_t>(trainer.progress().epoch),
                  .step = static_cast<std::int64_t>(trainer.progress().step),
                  .text = how,
                  .scalars = {},
                  .tensors = {}});
        bus.flush();
    };
    try {
        std::optional<StageWatch> stages;
        if (request.tells_stages) {
            stages.emplace(train_loader);
        }
        const run::Ending ending = trainer.run(request.progress);
        stages.reset();
        end(ending == run::Ending::finished ? "finished" : "interrupted");
        const bool makes_pictures = std::ranges::any_of(train.fields(), [&](const registry::Field& field) {
            return field.name == spec.model.target && field.role == SLUICE_FIELD_IMAGE;
        });
        if (ending == run::Ending::finished && trainer.progress().step == request.progress.step && resumed) {
            log::info(how_to_train_on(spec, request.progress.step, folder.path()));
        }
        print_closing(trainer, ending, folder.path(), makes_pictures);
        return ending == run::Ending::finished ? 0 : 128 + run::stop_signal();
    } catch (const Error& error) {
        end(error.exit() == Exit::diverged ? "diverged" : "failed");
        const std::filesystem::path last = folder.checkpoints() / "last.safetensors";
        const std::string saved =
            std::filesystem::exists(last) ? fmt::format("; the last checkpoint is {}", last.string()) : "";
        if (replicas.is_stuck()) {  // its thread still uses what would be taken down
            log::error(error.what() + saved);
            std::_Exit(static_cast<int>(error.exit()));
        }
        throw Error(error.exit(), error.what() + saved);
    }
}

}  // namespace sluice::cli
