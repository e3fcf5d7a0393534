#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/counted.hpp"
#include "cli/checkpoint_pipeline.hpp"
#include "cli/predict_inputs.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "run/network/fitting_size.hpp"
#include "run/predict/picture_decoder.hpp"
#include "run/predict/png_file.hpp"
#include "run/predict/tiles.hpp"
#include "run/replica/replica.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// Counts the pictures that failed. The others are still restored, and the exit code reports the failures.
class Failures {
public:
    // Logs and counts an error of one picture. Rethrows it if that picture is the only one, or if it is another error.
    void add(const Error& error, bool is_alone) {
        const bool is_of_one = error.exit() == Exit::data || error.exit() == Exit::save || is_lack_of_memory(error);
        if (is_alone || !is_of_one) {
            throw error;
        }
        log::error(error.what());
        ++pictures_;
        unsaved_ += error.exit() == Exit::save ? 1 : 0;
        lacking_memory_ += is_lack_of_memory(error) ? 1 : 0;
    }
    void add_unlisted(const std::string& what) {
        log::error(what);
        ++unlisted_;
    }
    void expect_none(std::size_t pictures) const {
        const std::string folders = unlisted_ == 0 ? "" : counted(unlisted_, "folder") + " could not be searched";
        if (pictures_ > 0) {
            throw Error(exit(), fmt::format("{} of {} could not be restored{}{}", pictures_,
                                            counted(pictures, "picture"), folders.empty() ? "" : ", and ", folders));
        }
        if (unlisted_ > 0) {
            throw Error(exit(), folders);
        }
    }

private:
    static bool is_lack_of_memory(const Error& error) { return dynamic_cast<const OutOfMemory*>(&error) != nullptr; }
    [[nodiscard]] Exit exit() const {
        const bool is_memory_alone = unlisted_ == 0 && lacking_memory_ == pictures_;
        return unsaved_ > 0 ? Exit::save : is_memory_alone ? Exit::device : Exit::data;
    }

    std::size_t pictures_ = 0;
    std::size_t unlisted_ = 0;
    std::size_t unsaved_ = 0;
    std::size_t lacking_memory_ = 0;
};

// Returns the exit code.
int restore_all(const FoundInputs& inputs, const fs::path& output,
                const std::function<void(const fs::path&, const fs::path&)>& restore) {
    const bool is_alone = inputs.pictures.size() == 1 && inputs.unlisted.empty();
    Failures failures;
    std::ranges::for_each(inputs.unlisted, [&](const std::string& what) { failures.add_unlisted(what); });
    for (const auto& [from, name] : inputs.pictures) {
        if (stop_signal() != 0) {
            return 128 + stop_signal();
        }
        const fs::path to = output / name;
        try {
            restore(from, to);
            log::info(fmt::format("{} -> {}", from.string(), to.string()));
        } catch (const OutOfMemory& error) {
            failures.add(OutOfMemory(fmt::format("{}: {}", from.string(), error.what())), is_alone);
        } catch (const Error& error) {
            failures.add(error, is_alone);
        } catch (const std::bad_alloc& failure) {
            failures.add(OutOfMemory(fmt::format("{}: {}", from.string(), out_of_memory_text(failure))), is_alone);
        }
    }
    failures.expect_none(inputs.pictures.size());
    return 0;
}

void make_output_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw Error(Exit::save, fmt::format("{}: cannot make the folder: {}{}", folder.string(), error.message(),
                                            removed_folder_text(folder)));
    }
}

// Returns the type of a field's pixels in the training, which `decode` chose.
sluice_dtype decoded_type(const config::PipelineSpec& spec, const std::string& field) {
    const auto is_it = [&](const Value& name) {
        const std::string* const text = name.as_string();
        return text != nullptr && *text == field;
    };
    const auto is_deep = [&](const config::ComponentSpec& transform) {
        const Value* const type = transform.options.find("type");
        const Value* const fields = transform.options.find("fields");
        return transform.use == "decode" && type != nullptr && type->as_string() != nullptr &&
               *type->as_string() == "float32" &&
               (fields == nullptr || fields->as_array() == nullptr || std::ranges::any_of(*fields->as_array(), is_it));
    };
    return std::ranges::any_of(spec.data.train.map, is_deep) ? kFloat32 : kUint8;
}

// A float32 target is compared with the network's output as it is, from 0 to 1, so model.range does not apply to it.
void fit_range(config::ModelSpec& model, sluice_dtype input, sluice_dtype target) {
    if (target == kUint8 || (model.low == 0.0 && model.high == 1.0)) {
        return;
    }
    if (input == kUint8) {
        throw Error(Exit::config,
                    fmt::format("the model was trained on 8-bit '{}', to which model.range applies, and on float32 "
                                "'{}', to which it does not; predict needs the same type for both",
                                model.input, model.target));
    }
    model.low = 0.0;
    model.high = 1.0;
}

// The upper limit is that of `decode`.
void check_most_megapixels(std::int64_t most) {
    constexpr std::int64_t kMost = 268;
    if (most < 1 || most > kMost) {
        throw Error(Exit::config, fmt::format("--most-megapixels is {}; it must be from 1 to {}", most, kMost));
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
    std::int64_t most_megapixels = 90;
    bool last_weights = false;
    po::options_description options("options");
    options.add_options()("checkpoint", po::value(&checkpoint)->value_name("FILE"), "the checkpoint to use");
    options.add_options()("input,i", po::value(&input)->value_name("PATH"), "a picture, or a folder of pictures");
    options.add_options()("output,o", po::value(&output)->value_name("FOLDER"), "write PNG files into this folder");
    options.add_options()("tile", po::value(&tiles.tile)->value_name("PIXELS"), "side of a tile (256)");
    options.add_options()("overlap", po::value(&tiles.overlap)->value_name("PIXELS"),
                          "overlap of neighbouring tiles (64)");
    options.add_options()("most-megapixels", po::value(&most_megapixels)->value_name("N"),
                          "refuse pictures of more than N million pixels before allocating memory for them (90)");
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
    check_most_megapixels(most_megapixels);
    const FoundInputs inputs = find_inputs(input, output);
    check_outputs(inputs.pictures, output);
    const run::CheckpointInfo info = run::inspect_checkpoint(checkpoint);
    config::PipelineSpec spec = pipeline_of(info, common.sets, "");
    const sluice_dtype type = decoded_type(spec, spec.model.input);
    fit_range(spec.model, type, decoded_type(spec, spec.model.target));
    const registry::Registry registry = open_registry(common);
    const int cores = usable_cores();
    plan::Toolbox tools = plan::open_toolbox(spec, registry);
    tools.choices->restore(info.choices);
    run::adopt_policy(info.chosen_policy, tools);
    run::FittingSizes sizes(spec, tools);
    registry::Field field = run::input_field(spec.model.input, type, {tiles.tile, tiles.tile}, 3);
    field.spec = run::with_size(field.spec, run::tile_size(sizes, field, tiles));
    const std::span<const registry::Field> fields(&field, 1);
    const int threads = run::thread_plan(spec, tools, fields, plan::Mode::predict, cores).threads;
    run::Replica replica(spec, tools, nullptr, fields, threads);
    run::load_checkpoint(checkpoint, replica, last_weights ? run::WeightChoice::last : run::WeightChoice::average);
    const run::PictureDecoder decoder(registry, type, most_megapixels * 1'000'000);
    make_output_folder(output);
    catch_stop_signals("stopping after this picture; complete pictures are kept");
    return restore_all(inputs, output, [&](const fs::path& from, const fs::path& to) {
        const run::DecodedPicture picture = decoder.decode(from);
        const HostTensor restored = run::predict_tiled(replica, spec.model.input, picture.image, tiles);
        if (!run::write_png(to, restored, picture.colours)) {
            log::warn(fmt::format("{}: its ICC profile does not fit the result, which is written without one",
                                  from.string()));
        }
    });
}

}  // namespace sluice::cli
