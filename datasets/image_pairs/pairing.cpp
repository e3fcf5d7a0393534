#include "pairing.hpp"

#include <system_error>

#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::image_pairs {

Pairs pair_folders(const fs::path& blurred, const fs::path& sharp, shared_files::SkippedFiles& skipped_files) {
    return shared_files::pair_by_name({blurred, "blurred"}, {sharp, "sharp"}, skipped_files);
}

Pairs pair_scenes(const fs::path& root, shared_files::SkippedFiles& skipped_files) {
    shared_files::require_folder(root, "root");
    Pairs pairs;
    std::error_code problem;
    fs::directory_iterator entry(root, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        const fs::directory_entry& scene = *entry;
        const fs::path blurred = scene.path() / "blur";
        const fs::path sharp = scene.path() / "sharp";
        if (!shared_files::is_folder(blurred, "root") && !shared_files::is_folder(sharp, "root")) {
            continue;
        }
        for (const auto& [name, files] :
             shared_files::pair_by_name({blurred, "root"}, {sharp, "root"}, skipped_files)) {
            pairs[(scene.path().filename() / name).string()] = files;
        }
    }
    if (problem) {
        throw sdk::Failure(SLUICE_INVALID, "option 'root': cannot list '" + root.string() + "': " + problem.message());
    }
    if (pairs.empty()) {
        throw sdk::Failure(SLUICE_INVALID,
                           "option 'root': no folder in '" + root.string() + "' has folders 'blur' and 'sharp' in it");
    }
    return pairs;
}

}  // namespace sluice::image_pairs
