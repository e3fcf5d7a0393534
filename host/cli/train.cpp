#include <fmt/format.h>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/training/training.hpp"
#include "config/load.hpp"

namespace sluice::cli {

int train(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    TrainingRequest request;
    std::string pipeline;
    std::string runs = "runs";
    std::string exact;
    std::string recorded;
    std::string measures;
    bool overfit = false;
    po::options_description options("options");
    options.add_options()("pipeline,p", po::value(&pipeline)->value_name("FILE"),
                          "the pipeline file, or the name of an installed one");
    options.add_options()("steps", po::value<std::int64_t>()->value_name("N"),
                          "stop after N steps; 0 saves the initial weights. The schedule keeps its length");
    options.add_options()("overfit-one-batch", po::bool_switch(&overfit),
                          "train on the first batch alone: the loss must fall");
    options.add_options()("runs", po::value(&runs)->value_name("FOLDER"), "where run folders are made (runs)");
    options.add_options()("run-folder", po::value(&exact)->value_name("FOLDER"), "use exactly this folder for the run");
    options.add_options()("stages", po::bool_switch(&request.logs_stages),
                          "log every 10 seconds how busy each stage of the input is");
    options.add_options()("profile", po::value(&recorded)->value_name("STEPS"),
                          "record these steps, such as 20-24, which the command profile shows");
    options.add_options()("measure", po::value(&measures)->value_name("FOLDER"),
                          "write the time of each step and the figures of the input into this folder");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "train", options, values, "pipeline")) {
        return 0;
    }
    if (pipeline.empty()) {
        throw Error(Exit::config, "no pipeline was given; try " + typed("--pipeline deblur.toml"));
    }
    if (values.count("steps") > 0) {
        common.sets.push_back(fmt::format("train.steps={}", values["steps"].as<std::int64_t>()));
    }
    if (!recorded.empty()) {
        common.sets.push_back(fmt::format("profile.steps=\"{}\"", recorded));
    }
    if (overfit) {
        common.sets.emplace_back("train.overfit_one_batch=true");
    }
    request.pipeline_file = find_pipeline(pipeline);
    request.spec = config::load_pipeline(request.pipeline_file, common.sets);
    request.measures = measures;
    request.runs = runs;
    request.exact_folder = exact;
    return run_training(std::move(request), common);
}

}  // namespace sluice::cli
