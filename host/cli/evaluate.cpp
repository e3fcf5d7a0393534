#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "cli/checkpoint_pipeline.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "run/network/fitting_size.hpp"
#include "run/replica/replica.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/evaluation.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::cli {
namespace {

void print(const run::Evaluation& evaluation) {
    const std::string left_out = evaluation.left_out > 0 ? fmt::format("left out    {}\n", evaluation.left_out) : "";
    std::cout << fmt::format("samples     {}\n{}loss        {:.6g}\n", evaluation.samples.size(), left_out,
                             evaluation.loss.mean());
    const auto of_input = std::ranges::find(evaluation.metrics, true, &run::MetricScore::of_input);
    const bool has_baselines = of_input != evaluation.metrics.end();
    for (auto metric = evaluation.metrics.begin(); metric != of_input; ++metric) {
        const double input = has_baselines ? of_input[metric - evaluation.metrics.begin()].value : 0.0;
        std::cout << fmt::format(
            "{:<11} {:.4f}{}\n", metric->name, metric->value,
            has_baselines ? fmt::format("  (input {:.4f}, {:+.4f})", input, metric->value - input) : "");
    }
}

void write_csv(const run::Evaluation& evaluation, const std::filesystem::path& file) {
    std::string text = "sample";
    for (const run::MetricScore& metric : evaluation.metrics) {
        text += "," + metric.name;
    }
    for (const run::SampleScore& sample : evaluation.samples) {
        text += "\n\"" + sample.name + "\"";
        for (const double value : sample.values) {
            text += fmt::format(",{:.6g}", value);
        }
    }
    write_file_atomically(file, text + "\n");
}

std::string to_json(const run::Evaluation& evaluation) {
    nlohmann::ordered_json json{
        {"samples", evaluation.samples.size()}, {"left_out", evaluation.left_out}, {"loss", evaluation.loss.mean()}};
    for (const run::MetricScore& metric : evaluation.metrics) {
        json[metric.name] = metric.value;
    }
    return json.dump();
}

}  // namespace

int evaluate(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::string checkpoint;
    std::string pipeline;
    std::string csv;
    bool as_json = false;
    bool last_weights = false;
    po::options_description options("options");
    options.add_options()("checkpoint", po::value(&checkpoint)->value_name("FILE"), "the checkpoint to measure");
    options.add_options()("pipeline,p", po::value(&pipeline)->value_name("FILE"),
                          "take data and model from this pipeline, not from the checkpoint's own");
    options.add_options()("csv", po::value(&csv)->value_name("FILE"), "write the metrics of every sample");
    options.add_options()("json", po::bool_switch(&as_json), "print one JSON object");
    options.add_options()("last-weights", po::bool_switch(&last_weights),
                          "use the weights of the last step, not their moving average (train.ema)");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "evaluate", options, values, "checkpoint")) {
        return 0;
    }
    if (checkpoint.empty()) {
        throw Error(Exit::config,
                    "no checkpoint was given: " + typed("evaluate runs/deblur-001/checkpoints/best.safetensors"));
    }
    const run::CheckpointInfo info = run::inspect_checkpoint(checkpoint);
    const config::PipelineSpec spec = pipeline_of(info, common.sets, pipeline);
    if (!spec.data.validation) {
        throw Error(Exit::config, fmt::format("pipeline '{}' has no [data.validation] to evaluate on", spec.name));
    }
    const registry::Registry registry = open_registry(common);
    const data::Chain chain(*spec.data.validation, registry, static_cast<std::uint64_t>(spec.seed), "data.validation");
    const int cores = usable_cores();
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    tools.choices->restore(info.choices);
    run::adopt_policy(info.chosen_policy, tools);
    data::LoaderOptions loading = run::loader_options(spec, false, cores);
    loading.batch = run::validation_batch(spec, chain);
    run::check_batches_fit(spec, chain, loading.batch);
    data::Loader loader(chain, loading);
    if (tools.device->is_host_memory()) {
        loader.give_way();
    }
    const auto fields = run::FittingSizes(spec, tools).padded(run::batch_fields(chain, loading.fields, loading.batch));
    const int threads = run::thread_plan(spec, tools, fields, plan::Mode::evaluate, cores).threads;
    const run::ReplicaGroup replicas(std::make_unique<run::Replica>(spec, tools, nullptr, fields, threads));
    loader.expect_labels(replicas.first().network().plan().graph.labels);
    run::load_checkpoint(checkpoint, replicas.first(),
                         last_weights ? run::WeightChoice::last : run::WeightChoice::average);
    catch_stop_signals("stopping after this batch; no scores are printed");
    data::BadSamples bad(spec.data.skip_bad);
    run::EvaluationTimes times(0.0);
    const run::Evaluation evaluation =
        run::evaluate(replicas, {}, loader, bad, times, [] { return stop_signal() != 0; });
    if (stop_signal() != 0) {
        return 128 + stop_signal();
    }
    if (!csv.empty()) {
        write_csv(evaluation, csv);
    }
    if (as_json) {
        std::cout << to_json(evaluation) << "\n";
    } else {
        print(evaluation);
    }
    return 0;
}

}  // namespace sluice::cli
