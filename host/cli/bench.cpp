#include <fmt/format.h>

#include <iostream>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "bench/report.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/load.hpp"

namespace sluice::cli {
namespace {

bench::Measurement measure(const config::PipelineSpec& spec, const registry::Registry& registry,
                           std::optional<std::size_t> steps) {
    const ProgressLine line;
    return bench::measure(spec, registry,
                          {.steps = steps, .progress = [&](const std::string& text) { line.show(text); }});
}

std::int64_t at_least_one(const boost::program_options::variables_map& values, const char* name) {
    const auto count = values[name].as<std::int64_t>();
    if (count < 1) {
        throw Error(Exit::config, fmt::format("--{} is {}; at least 1 is needed", name, count));
    }
    return count;
}

}  // namespace

int bench(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::string pipeline;
    bool json = false;
    po::options_description options("options");
    options.add_options()("pipeline,p", po::value(&pipeline)->value_name("FILE"),
                          "the pipeline file, or the name of an installed one");
    options.add_options()("steps", po::value<std::int64_t>()->value_name("N"),
                          "time N steps, then N more launch by launch (default: a few seconds of steps)");
    options.add_options()("batch", po::value<std::int64_t>()->value_name("N"), "the same as --set data.batch=N");
    options.add_options()("json", po::bool_switch(&json), "print all figures as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "bench", options, values, "pipeline")) {
        return 0;
    }
    if (pipeline.empty()) {
        throw Error(Exit::config, "no pipeline was given: " + typed("bench deblur.toml"));
    }
    std::optional<std::size_t> steps;
    if (values.count("steps") > 0) {
        steps = static_cast<std::size_t>(at_least_one(values, "steps"));
    }
    if (values.count("batch") > 0) {
        common.sets.push_back(fmt::format("data.batch={}", at_least_one(values, "batch")));
    }
    const config::PipelineSpec spec = config::load_pipeline(find_pipeline(pipeline), common.sets);
    const registry::Registry registry = open_registry(common);
    const bench::Measurement found = measure(spec, registry, steps);
    std::cout << (json ? bench::to_json(found) : bench::to_text(found));
    return 0;
}

}  // namespace sluice::cli
