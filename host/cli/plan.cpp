#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"
#include "cli/replica_options.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/training/memory_forecast.hpp"
#include "config/load.hpp"
#include "config/pipeline_text.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/batch_stages.hpp"
#include "plan/memory_need.hpp"
#include "plan/passes/make_plan.hpp"
#include "plan/plan.hpp"
#include "plan/plan_text.hpp"
#include "plan/precision_text.hpp"
#include "plan/single_value_norms.hpp"
#include "run/collective/exchange_forecast.hpp"
#include "run/collective/sharing.hpp"
#include "run/network/fitting_size.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/threads.hpp"
#include "run/schedule/schedule.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/setup/open_optimizer.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::cli {
namespace {

void print_threads(const run::ThreadPlan& threads, int cores) {
    std::cout << fmt::format("threads     {} of {} compute{}; at most {} next to them\n", threads.threads,
                             counted(cores, "core"),
                             threads.threads < cores ? ": a step is too short to gain from more" : "",
                             counted(threads.workers, "data worker"));
}

// Evaluation reads validation data, in batches of its own.
struct Data {
    const config::StreamSpec& set;
    const char* name;
    bool is_for_training;
};

Data data_of(const config::PipelineSpec& spec, plan::Mode mode) {
    if (mode != plan::Mode::evaluate) {
        return {spec.data.train, "data.train", true};
    }
    if (!spec.data.validation) {
        throw Error(Exit::config, fmt::format("pipeline '{}' has no [data.validation] to evaluate on", spec.name));
    }
    return {*spec.data.validation, "data.validation", false};
}

// Lists the memory limits of prefetched batches, of samples that are being made, and of caches.
std::string memory_text(const config::PipelineSpec& spec, const config::StreamSpec& stream,
                        std::uint64_t prefetch_bytes) {
    const std::uint64_t caches = spec.data.train.cache_bytes.value_or(0) +
                                 (spec.data.validation ? spec.data.validation->cache_bytes.value_or(0) : 0);
    std::string text;
    const auto add = [&](std::uint64_t bytes, std::string_view of) {
        if (bytes > 0) {
            text += fmt::format("{}{} of {}", text.empty() ? ", up to " : ", ", format_size(bytes), of);
        }
    };
    add(prefetch_bytes, "them");
    add(stream.sample_bytes.value_or(0), "samples that are being made");
    add(caches, "caches");
    return text;
}

void print_data(const config::PipelineSpec& spec, const data::Chain& chain, bool for_training, int cores) {
    std::string stages;
    for (const std::string& stage : chain.stages()) {
        stages += (stages.empty() ? "" : " > ") + stage;
    }
    std::string fields;
    for (const registry::Field& field : chain.fields()) {
        fields += fmt::format("{}{} {}", fields.empty() ? "" : ", ", field.name, to_string(field.spec));
    }
    const data::LoaderOptions loader = run::loader_options(spec, for_training, cores);
    run::check_batches_fit(spec, chain, for_training ? loader.batch : run::validation_batch(spec, chain));
    std::cout << fmt::format(
        "data        {}: {}\n            {}\n            {}{}, {} ahead{}\n", counted(chain.length(), "sample"), stages,
        fields, counted(loader.workers, "worker"),
        loader.most_workers > loader.workers
            ? fmt::format(", up to {} while training waits for them", loader.most_workers)
            : "",
        counted(loader.prefetch, "batch"),
        memory_text(spec, for_training ? spec.data.train : *spec.data.validation, loader.prefetch_bytes));
}

// Returns the topology of a training. Other modes are never shared by replicas.
sluice_topology topology_of(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                            const ReplicaOptions& question, int cores) {
    const sluice_topology topology = question.replicas() ? run::on_own_devices(*question.replicas())
                                                         : run::open_strategy(spec, tools, cores).topology();
    run::check_shared(spec, tools, topology);
    return topology;
}

// Prints the memory that the plan needs, whether the device has it, and what replicas exchange.
void print_needs(const config::PipelineSpec& spec, const plan::Toolbox& tools, const plan::Plan& made,
                 std::size_t states, const sluice_topology& topology, const ReplicaOptions& question) {
    const std::uint32_t world = std::max(topology.world_replicas, 1U);
    const auto [weights, need] = forecast_memory(spec, *tools.device, made, states, topology);
    std::cout << plan::list_memory(need, weights);
    const bool share_memory = !question.replicas() && tools.device->is_host_memory();
    const std::uint64_t memory = question.memory().value_or(tools.device->info().free_bytes /
                                                            (share_memory ? std::max(topology.local_replicas, 1U) : 1));
    if (const std::string too_large = plan::why_too_large(need, memory, spec, made.graph.mode); !too_large.empty()) {
        std::cout << "            too much: " + too_large + "\n";
    } else if (question.memory()) {
        std::cout << fmt::format("            fits into {}\n", format_size(memory));
    }
    if (question.replicas() && world > 1) {
        const bool wants_norm = spec.clip_norm > 0.0 || run::LossScaler(tools).scales();
        std::cout << run::ExchangeForecast(spec, made, wants_norm, world).text(question.links());
    }
}

plan::Mode mode_of(const std::string& name) {
    for (const auto& [known, mode] :
         {std::pair{"train", plan::Mode::train}, std::pair{"evaluate", plan::Mode::evaluate},
          std::pair{"predict", plan::Mode::predict}}) {
        if (name == known) {
            return mode;
        }
    }
    throw Error(Exit::config, fmt::format("--mode is '{}'; it is one of train, evaluate, predict", name));
}

}  // namespace

int plan(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::string pipeline;
    std::string mode = "train";
    bool explain = false;
    bool precision = false;
    ReplicaOptions replicas;
    po::options_description options("options");
    options.add_options()("pipeline,p", po::value(&pipeline)->value_name("FILE"),
                          "the pipeline file, or the name of an installed one");
    options.add_options()("mode", po::value(&mode)->value_name("MODE"), "plan of train (default), evaluate or predict");
    options.add_options()("explain", po::bool_switch(&explain), "print every value with its origin");
    options.add_options()("precision", po::bool_switch(&precision),
                          "print autocast category, types and reason of each layer under the precision policy");
    replicas.add_to(options);
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "plan", options, values, "pipeline")) {
        return 0;
    }
    if (pipeline.empty()) {
        throw Error(Exit::config, "no pipeline was given: " + typed("plan deblur.toml"));
    }
    const config::PipelineSpec spec = config::load_pipeline(find_pipeline(pipeline), common.sets);
    if (explain) {
        std::cout << config::to_pipeline_toml(spec.resolved, config::Origins::as_comments) << "\n";
    }
    const plan::Mode wanted = mode_of(mode);
    const bool trains = wanted == plan::Mode::train;
    replicas.check(trains);
    const Data data = data_of(spec, wanted);
    const registry::Registry registry = open_registry(common);
    const data::Chain chain(data.set, registry, static_cast<std::uint64_t>(spec.seed), data.name);
    const int cores = usable_cores();
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    const sluice_topology topology = trains ? topology_of(spec, tools, replicas, cores) : sluice_topology{};
    const std::int64_t batch = trains                 ? run::shard_batch(spec, topology, spec.data.batch)
                               : data.is_for_training ? spec.data.batch
                                                      : run::validation_batch(spec, chain);
    const std::vector<std::string> names = run::model_fields(spec.model);
    static_cast<void>(data::BatchStages(chain, names));  // throws if a transform of batches is wrong
    auto fields = run::batch_fields(chain, names, batch);
    if (!trains) {
        fields = run::FittingSizes(spec, tools).padded(fields);
    }
    const registry::Optimizer optimizer = run::open_optimizer(spec, registry, tools.device->kind());
    const int own_cores = trains ? run::cores_of_shard(spec, topology, cores) : cores;
    const run::ThreadPlan shares = run::thread_plan(spec, tools, fields, wanted, own_cores);
    const run::PolicyChoice policy =
        trains ? run::settle_policy({spec, optimizer, fields, shares.threads}, tools) : run::PolicyChoice{};
    const run::Threads threads(shares.threads);
    const plan::Plan made = plan::make_plan(spec, tools, fields, wanted, threads.api());
    std::cout << fmt::format("pipeline    {}\ndevice      {}\n", spec.name, tools.device->info().name);
    print_data(spec, chain, data.is_for_training, cores);
    if (topology.world_replicas > 1) {
        std::cout << fmt::format("replicas    {}; the lines below are for one of them, on {} of {}\n",
                                 topology.world_replicas, batch, counted(spec.data.batch, "sample"));
    }
    print_threads(shares, own_cores);
    if (!policy.name.empty()) {
        std::cout << fmt::format("precision   {}: {} ({})\n", policy.asked, policy.name, policy.why);
    }
    std::cout << plan::list_plan(made) << (precision ? plan::list_precision(made, tools) : "");
    if (trains) {
        const std::string rate = run::scaled_rate_text(spec);
        plan::warn_of_single_values(made.graph, run::batch_sizes(spec, topology, chain.length()));
        std::cout << fmt::format("optimizer   {}, {}{}{}\n", spec.optimizer.use,
                                 counted(optimizer.states().size(), "state"), rate.empty() ? "" : ", rate ", rate);
    }
    print_needs(spec, tools, made, trains ? optimizer.states().size() : 0, topology, replicas);
    return 0;
}

}  // namespace sluice::cli
