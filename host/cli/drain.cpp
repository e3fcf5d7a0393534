#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "cli/stream_option.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/load.hpp"
#include "data/loader/loader.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/loader_setup.hpp"

namespace sluice::cli {
namespace {

constexpr double kSeconds = 10.0;       // default if neither --seconds nor --epochs is given
constexpr double kTableInterval = 1.0;  // seconds between two tables on a terminal

struct DrainLimits {
    std::string data = "train";
    double seconds = 0.0;     // 0: no limit
    std::int64_t epochs = 0;  // 0: no limit
};

// Takes batches until a limit of `wanted` or a signal. `digest` becomes that of the last whole epoch, if there was one.
void take_batches(data::Loader& loader, const DrainLimits& wanted, data::BadSamples& left_out, std::string& digest) {
    const ProgressLine table;
    const double start = now();
    double shown = start;
    data::LoaderFigures before = loader.figures();
    for (std::uint64_t taken = 0; stop_signal() == 0; ++taken) {
        const double time = now();
        const bool is_over =
            (wanted.seconds > 0.0 && time - start >= wanted.seconds) ||
            (wanted.epochs > 0 && taken == static_cast<std::uint64_t>(wanted.epochs) * loader.batches_per_epoch());
        if (is_over && taken > 0) {
            break;
        }
        if (time - shown >= kTableInterval) {
            const data::LoaderFigures figures = loader.figures();
            const data::LoaderFigures last = figures.since(before);
            table.show(fmt::format("{:.0f} s, the last second:\n{}", time - start, to_text(last, true)));
            shown = time;
            before = figures;
        }
        left_out.add(loader.next().left_out);
        if ((taken + 1) % loader.batches_per_epoch() == 0) {
            digest = loader.digest();
        }
    }
}

int drain(const config::PipelineSpec& spec, const registry::Registry& registry, const DrainLimits& wanted, bool json) {
    const data::Chain chain(data_named(spec, wanted.data), registry, static_cast<std::uint64_t>(spec.seed),
                            "data." + wanted.data);
    const bool trains = wanted.data == "train";
    data::LoaderOptions options = run::loader_options(spec, trains, usable_cores());
    options.batch = trains ? options.batch : run::validation_batch(spec, chain);
    options.fields = run::fields_in_batches(spec, chain);
    run::check_batches_fit(spec, chain, options.batch);
    options.one_pass = false;
    options.workers = options.most_workers;  // nothing else needs the cores
    options.logs_tuning = false;             // a caller that only takes batches always waits for them
    data::Loader loader(chain, options);
    catch_stop_signals("stopping after this batch");
    loader.seek(0, 0);
    const data::LoaderFigures start = loader.figures();
    std::string digest;
    try {
        data::BadSamples left_out(spec.data.skip_bad);
        take_batches(loader, wanted, left_out, digest);
    } catch (const data::Stopped&) {
        log::warn("stopped by a signal while waiting for a batch");
    }
    const data::LoaderFigures found = loader.figures().since(start);
    if (json) {
        auto figures = nlohmann::ordered_json::parse(to_json(found));
        figures["epoch_sha256"] = digest.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(digest);
        std::cout << figures.dump(2) << "\n";
    } else {
        std::cout << to_text(found, true);
        if (!digest.empty()) {
            std::cout << fmt::format("SHA-256 of the last whole epoch: {}\n", digest);
        }
    }
    return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace

int drain(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    DrainLimits wanted;
    std::string pipeline;
    bool json = false;
    po::options_description options("options");
    options.add_options()("pipeline,p", po::value(&pipeline)->value_name("FILE"),
                          "the pipeline file, or the name of an installed one; only [data] is needed");
    options.add_options()("data", po::value(&wanted.data)->value_name("NAME"), "train (default) or validation");
    options.add_options()("seconds", po::value(&wanted.seconds)->value_name("S"), "stop after S seconds (10)");
    options.add_options()("epochs", po::value(&wanted.epochs)->value_name("N"), "stop after N epochs instead");
    options.add_options()("json", po::bool_switch(&json), "print all figures as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "drain", options, values, "pipeline")) {
        return 0;
    }
    if (pipeline.empty()) {
        throw Error(Exit::config, "no pipeline was given: " + typed("drain deblur.toml"));
    }
    if (!std::isfinite(wanted.seconds) || wanted.seconds < 0.0 ||
        (values.count("seconds") > 0 && wanted.seconds == 0.0)) {
        throw Error(Exit::config,
                    fmt::format("--seconds is {}; it is a number of seconds, more than 0", wanted.seconds));
    }
    if (wanted.epochs < 0 || (values.count("epochs") > 0 && wanted.epochs == 0)) {
        throw Error(Exit::config, fmt::format("--epochs is {}; it is more than 0", wanted.epochs));
    }
    if (wanted.seconds == 0.0 && wanted.epochs == 0) {
        wanted.seconds = kSeconds;
    }
    const config::PipelineSpec spec = config::load_input(find_pipeline(pipeline), common.sets);
    return drain(spec, open_registry(common), wanted, json);
}

}  // namespace sluice::cli
