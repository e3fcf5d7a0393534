#include "cli/predict_inputs.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/text/counted.hpp"
#include "shared_files/picture_walk.hpp"
#include "shared_files/skipped_files.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

void log_skipped_files(const std::vector<std::pair<std::string, shared_files::Skip>>& skipped) {
    shared_files::SkippedFiles skipped_files;
    for (const auto& [file, reason] : skipped) {
        skipped_files.add(file, reason);
    }
    if (const shared_files::SkippedFiles::Line line = skipped_files.line(); !line.text.empty()) {
        line.is_warning ? log::warn(line.text) : log::info(line.text);
    }
}

// Resolves symbolic links; returns `file` itself if that fails.
fs::path true_path(const fs::path& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    return error ? file : path;
}

bool is_below(const fs::path& file, const fs::path& folder) {
    const fs::path rest = true_path(file).lexically_relative(true_path(folder));
    return !rest.empty() && *rest.begin() != ".." && *rest.begin() != ".";
}

// If the output folder lies below the input folder, its pictures are results of an earlier call.
void leave_out_results(std::vector<PicturePair>& pictures, const fs::path& input, const fs::path& output) {
    if (!is_below(output, input)) {
        return;
    }
    const auto count = std::erase_if(pictures, [&](const PicturePair& one) { return is_below(one.first, output); });
    if (count > 0) {
        log::info(fmt::format("{} below {} {} skipped: it is the output folder", counted(count, "picture"),
                              output.string(), count == 1 ? "is" : "are"));
    }
}

// Turns the second path of each pair, the picture's own below the input, into the name of its result. Results that
// share a name get their picture's whole name and ".png", until all names differ.
void name_results(std::vector<PicturePair>& pictures) {
    std::vector<fs::path> whole;
    for (auto& [from, name] : pictures) {
        whole.push_back(fs::path(name) += ".png");
        name.replace_extension(".png");
    }
    for (bool is_changed = true; is_changed;) {
        std::map<fs::path, std::size_t> uses;
        for (const PicturePair& picture : pictures) {
            ++uses[picture.second];
        }
        is_changed = false;
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            if (uses.at(pictures[i].second) > 1 && pictures[i].second != whole[i]) {
                pictures[i].second = whole[i];
                is_changed = true;
            }
        }
    }
}

}  // namespace

FoundInputs find_inputs(const fs::path& input, const fs::path& output) {
    FoundInputs found;
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (fs::is_regular_file(status)) {
        found.pictures.emplace_back(input, input.filename().replace_extension(".png"));
    } else if (fs::is_directory(status)) {
        const auto [files, unlisted, skipped] = shared_files::find_pictures(input);
        log_skipped_files(skipped);
        for (const fs::path file : files) {
            found.pictures.emplace_back(input / file, file);
        }
        leave_out_results(found.pictures, input, output);
        name_results(found.pictures);
        for (const auto& [folder, why] : unlisted) {
            found.unlisted.push_back(fmt::format("{}: {}", folder, why));
        }
    }
    if (found.pictures.empty() && found.unlisted.empty()) {
        const std::string none =
            fmt::format("no {} picture is in this folder", shared_files::text_of(shared_files::kPictureSuffixes));
        throw Error(Exit::data, fmt::format("{}: {}", input.string(),
                                            fs::exists(status) ? none
                                            : status.type() == fs::file_type::not_found
                                                ? "there is no such picture or folder" + removed_folder_text(input)
                                                : error.message()));
    }
    return found;
}

void check_outputs(std::span<const PicturePair> pictures, const fs::path& output) {
    std::map<fs::path, fs::path> inputs;  // by resolved path
    for (const auto& [from, name] : pictures) {
        inputs.emplace(true_path(from), from);
    }
    for (const auto& [from, name] : pictures) {
        const fs::path to = output / name;
        if (const auto read = inputs.find(true_path(to)); read != inputs.end()) {
            throw Error(Exit::config, fmt::format("{} would be written over the input {}; choose another --output",
                                                  to.string(), read->second.string()));
        }
    }
}

}  // namespace sluice::cli
