#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "cli/command.hpp"
#include "cli/loaded.hpp"
#include "run/picture.hpp"
#include "run/policy_choice.hpp"
#include "run/replica.hpp"
#include "run/session.hpp"
#include "run/signals.hpp"
#include "run/tiles.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

bool is_picture(const fs::path& file) {
    std::string suffix = file.extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix == ".jpg" || suffix == ".jpeg" || suffix == ".png";
}

// The pictures below `input`, with the path that each gets below the output folder.
std::vector<std::pair<fs::path, fs::path>> list_pictures(const fs::path& input) {
    std::vector<std::pair<fs::path, fs::path>> pictures;
    if (fs::is_regular_file(input)) {
        pictures.emplace_back(input, input.filename().replace_extension(".png"));
    } else if (fs::is_directory(input)) {
        for (const auto& entry : fs::recursive_directory_iterator(input)) {
            if (entry.is_regular_file() && is_picture(entry.path())) {
                pictures.emplace_back(entry.path(), fs::relative(entry.path(), input).replace_extension(".png"));
            }
        }
        std::ranges::sort(pictures);
    }
    if (pictures.empty()) {
        throw Error(Exit::data, fmt::format("{}: {}", input.string(),
                                            fs::exists(input) ? "no .jpg, .jpeg or .png picture is in this folder"
                                                              : "there is no such picture or folder"));
    }
    return pictures;
}

// Every picture needs a file of its own to be written to, and none may be a picture that is read.
void check_outputs(std::span<const std::pair<fs::path, fs::path>> pictures, const fs::path& output) {
    std::map<fs::path, fs::path> inputs;  // each by its true path
    for (const auto& [from, name] : pictures) {
        inputs.emplace(fs::weakly_canonical(from), from);
    }
    std::map<fs::path, fs::path> taken;
    for (const auto& [from, name] : pictures) {
        const fs::path to = output / name;
        if (const auto read = inputs.find(fs::weakly_canonical(to)); read != inputs.end()) {
            throw Error(Exit::config, fmt::format("{} would be written over the input {}; choose another --output",
                                                  to.string(), read->second.string()));
        }
        if (const auto [earlier, is_new] = taken.emplace(to, from); !is_new) {
            throw Error(Exit::config, fmt::format("{} and {} would both be written to {}; rename one of them",
                                                  earlier->second.string(), from.string(), to.string()));
        }
    }
}

}  // namespace

int predict(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::string checkpoint;
    std::string input;
    std::string output;
    run::TileOptions tiles;
    bool last_weights = false;
    po::options_description options("options");
    options.add_options()("checkpoint", po::value(&checkpoint)->value_name("FILE"), "the checkpoint to use");
    options.add_options()("input,i", po::value(&input)->value_name("PATH"), "a picture, or a folder of pictures");
    options.add_options()("output,o", po::value(&output)->value_name("FOLDER"), "write PNG files into this folder");
    options.add_options()("tile", po::value(&tiles.tile)->value_name("PIXELS"), "side of a tile (256)");
    options.add_options()("overlap", po::value(&tiles.overlap)->value_name("PIXELS"),
                          "overlap of neighbouring tiles (64)");
    options.add_options()("last-weights", po::bool_switch(&last_weights),
                          "use the weights of the last step, not their moving average (train.ema)");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "predict", options, values, "checkpoint")) {
        return 0;
    }
    if (checkpoint.empty() || input.empty() || output.empty()) {
        throw Error(Exit::config,
                    typed("predict CHECKPOINT --input PICTURE|FOLDER --output FOLDER") + " needs all three");
    }
    if (tiles.tile < 16 || tiles.overlap < 0 || tiles.overlap > tiles.tile / 2) {
        throw Error(Exit::config,
                    fmt::format("tiles of {} pixels that overlap by {}: a tile has at least 16 pixels, and "
                                "the overlap is at most half of it",
                                tiles.tile, tiles.overlap));
    }
    const auto pictures = list_pictures(input);
    check_outputs(pictures, output);
    const run::CheckpointInfo info = run::inspect_checkpoint(checkpoint);
    const config::PipelineSpec spec = pipeline_of(info, common.sets, "");
    const registry::Registry registry = open_registry(common);
    const int cores = usable_cores();
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    tools.choices->restore(info.choices);
    run::adopt_policy(info.chosen_policy, tools);
    const registry::Field field{spec.model.input, SLUICE_FIELD_IMAGE,
                                make_spec(kUint8, {1, tiles.tile, tiles.tile, 3})};
    const std::span<const registry::Field> fields(&field, 1);
    const int threads = run::thread_plan(spec, tools, fields, plan::Mode::predict, cores).threads;
    run::Replica replica(spec, tools, nullptr, fields, threads);
    run::load_checkpoint(checkpoint, replica, last_weights ? run::WeightChoice::last : run::WeightChoice::average);
    const run::PictureDecoder decoder(registry);
    run::catch_signals();
    std::size_t unusable = 0;
    for (const auto& [from, name] : pictures) {
        if (run::stop_signal() != 0) {
            return 128 + run::stop_signal();
        }
        const fs::path to = fs::path(output) / name;
        try {
            run::write_png(to, run::predict_tiled(replica, spec.model.input, decoder.decode(from), tiles));
            log::info(fmt::format("{} -> {}", from.string(), to.string()));
        } catch (const Error& error) {
            if (error.exit() != Exit::data || pictures.size() == 1) {
                throw;
            }
            log::error(error.what());
            ++unusable;
        }
    }
    if (unusable > 0) {
        throw Error(Exit::data, fmt::format("{} of {} pictures could not be restored", unusable, pictures.size()));
    }
    return 0;
}

}  // namespace sluice::cli
