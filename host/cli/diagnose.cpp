#include <fmt/format.h>

#include <iostream>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/load.hpp"
#include "diagnose/precision_trial.hpp"

namespace sluice::cli {
namespace {

constexpr std::int64_t kFewestSteps = 4;  // two untimed steps, a timed one, and the last

std::size_t steps_of(std::int64_t wanted) {
    if (wanted < kFewestSteps) {
        throw Error(Exit::config, fmt::format("--steps is {}; at least {} are needed", wanted, kFewestSteps));
    }
    return static_cast<std::size_t>(wanted);
}

// An empty `policy` means the pipeline's own.
config::PipelineSpec load(const std::filesystem::path& file, const std::vector<std::string>& sets,
                          const std::string& policy) {
    return policy.empty()
               ? config::load_pipeline(file, sets)
               : config::load_pipeline(file, sets, {"--policy " + policy, "precision.use=" + to_toml({policy, {}})});
}

}  // namespace

int diagnose(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::vector<std::string> words;
    std::string policy;
    std::int64_t steps = 20;
    bool json = false;
    po::options_description options("options");
    options.add_options()("words", po::value(&words)->value_name("precision FILE"),
                          "the experiment, and the pipeline file or the name of an installed one");
    options.add_options()("policy", po::value(&policy)->value_name("NAME"),
                          "this precision policy instead of the pipeline's own");
    options.add_options()("steps", po::value(&steps)->value_name("N"), "training steps of each run (20)");
    options.add_options()("json", po::bool_switch(&json), "print all figures as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "diagnose", options, values, "words", 2)) {
        return 0;
    }
    if (words.size() != 2 || words.front() != "precision") {
        throw Error(Exit::config, "only precision can be diagnosed: " + typed("diagnose precision deblur.toml"));
    }
    const config::PipelineSpec spec = load(find_pipeline(words.back()), common.sets, policy);
    const registry::Registry registry = open_registry(common);
    const auto trial = [&] {
        const ProgressLine line;
        return diagnose::try_precision(
            spec, registry, {.steps = steps_of(steps), .progress = [&](const std::string& text) { line.show(text); }});
    }();
    std::cout << (json ? diagnose::to_json(trial) : diagnose::to_text(trial));
    return 0;
}

}  // namespace sluice::cli
