#include "prepare/prepare.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"
#include "cli/stream_option.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/limits.hpp"
#include "config/load.hpp"
#include "prepare/prefix.hpp"
#include "prepare/request.hpp"

namespace sluice::cli {
namespace {

struct PrepareOptions {
    std::string pipeline;
    std::string stream = "train";
    std::string shard_size = "256 MiB";
    std::string jpeg;
    prepare::PrefixChoice choice;
    std::int64_t workers = 0;  // 0: one for each core
};

void check(const PrepareOptions& given, const prepare::Request& request) {
    if (given.pipeline.empty() || request.out.empty()) {
        throw Error(Exit::config, typed("prepare FILE --out FOLDER") + " needs both");
    }
    if (given.choice.count && !given.choice.until.empty()) {
        throw Error(Exit::config, "--prefix and --until exclude each other");
    }
    if (given.workers < 0 || given.workers > config::kMostWorkers) {
        throw Error(Exit::config, fmt::format("--workers {}: a number of threads is needed, at most {}", given.workers,
                                              config::kMostWorkers));
    }
    if (!given.jpeg.empty() && given.jpeg != "restart") {
        throw Error(Exit::config, fmt::format("--jpeg {}: the only possible value is restart", given.jpeg));
    }
    if (request.shard_bytes == 0) {
        throw Error(Exit::config, fmt::format("--shard-size {}: a number and a unit are expected, such as \"256 MiB\"",
                                              given.shard_size));
    }
}

void print_prefix(const prepare::Prefix& prefix) {
    std::string made;
    for (const config::ComponentSpec& entry : prefix.made.map) {
        made += (made.empty() ? "" : ", ") + entry.use;
    }
    std::string sources;
    for (const config::SourceSpec& source : prefix.made.sources) {
        sources += (sources.empty() ? "'" : ", '") + source.component.use + "'";
    }
    log::info(
        fmt::format("prepared: {} after source {} ({})", made.empty() ? "no transform" : made, sources, prefix.reason));
    if (prefix.is_random) {
        log::warn("the prepared samples are random: those of epoch 0 are stored and reused in every epoch");
    }
}

}  // namespace

int prepare(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    PrepareOptions given;
    prepare::Request request;
    std::string out;
    po::options_description options("options");
    options.add_options()("pipeline,p", po::value(&given.pipeline)->value_name("FILE"),
                          "the pipeline file, or the name of an installed one; only [data] is needed");
    options.add_options()("out,o", po::value(&out)->value_name("FOLDER"), "write the files into this folder");
    options.add_options()("data", po::value(&given.stream)->value_name("NAME"), "train (default) or validation");
    options.add_options()("prefix", po::value<std::int64_t>()->value_name("N"),
                          "run the first N transforms (default: all before the first random one or a cache)");
    options.add_options()("until", po::value(&given.choice.until)->value_name("NAME"),
                          "run the transforms up to and including this one");
    options.add_options()("format", po::value(&request.format)->value_name("NAME"),
                          "records (default: any sample and window at once), or tfrecord (tf.train.Example)");
    options.add_options()("gzip", po::bool_switch(&request.gzip), "compress the files (with --format tfrecord)");
    options.add_options()("jpeg", po::value(&given.jpeg)->value_name("restart"),
                          "add restart markers to JPEG files, without loss, so that crops decode only their part");
    options.add_options()("shard-size", po::value(&given.shard_size)->value_name("SIZE"),
                          "approximate size of a file (256 MiB)");
    options.add_options()("verify", po::bool_switch(&request.verify),
                          "compare existing files with their SHA-256, and rewrite those that differ");
    options.add_options()("workers", po::value(&given.workers)->value_name("N"),
                          "number of threads (default: one per core)");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "prepare", options, values, "pipeline")) {
        return 0;
    }
    if (values.count("prefix") > 0) {
        given.choice.count = values["prefix"].as<std::int64_t>();
    }
    given.choice.restart_jpeg = !given.jpeg.empty();
    request.out = out;
    request.shard_bytes = parse_size(given.shard_size).value_or(0);
    check(given, request);
    const config::PipelineSpec spec = config::load_input(find_pipeline(given.pipeline), common.sets);
    const registry::Registry registry = open_registry(common);
    request.prefix = prepare::choose_prefix(data_named(spec, given.stream), given.choice,
                                            {static_cast<std::uint64_t>(spec.seed), "data." + given.stream}, registry);
    request.purpose = given.stream;
    request.seed = static_cast<std::uint64_t>(spec.seed);
    request.skip_bad = spec.data.skip_bad;
    request.threads = given.workers > 0 ? static_cast<int>(given.workers) : usable_cores();
    request.stall_seconds = spec.data.stall_seconds;
    print_prefix(request.prefix);
    catch_stop_signals("stopping: complete files are kept, and the same command continues from there");
    prepare::Prepared prepared;
    {
        const ProgressLine line;
        request.progress = [&](const std::string& text) { line.show("prepare: " + text); };
        request.stop = [] { return stop_signal() != 0; };
        prepared = prepare::prepare(request, registry);
    }
    if (!prepared.is_whole) {
        log::info(fmt::format("stopped: {} complete; the same command continues from there",
                              counted(prepared.files, "file") + (prepared.files == 1 ? " is" : " are")));
        return 128 + stop_signal();
    }
    if (prepared.skipped > 0) {
        log::warn(fmt::format("{} left out: manifest.json names {}",
                              counted(prepared.skipped, "bad sample") + (prepared.skipped == 1 ? " was" : " were"),
                              prepared.skipped == 1 ? "it" : "them"));
    }
    log::info(fmt::format("{}, {} in {} in {} ({} of them existed already)", counted(prepared.samples, "sample"),
                          format_size(prepared.bytes), counted(prepared.files, "file"), out, prepared.files_before));
    std::cout << prepared.source << "\n" << prepared.map << "\n";
    return 0;
}

}  // namespace sluice::cli
