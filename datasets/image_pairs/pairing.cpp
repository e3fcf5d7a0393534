#include "pairing.hpp"

#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::image_pairs {

Pairs pair_folders(const fs::path& blurred, const fs::path& sharp) {
    return shared_files::pair_by_name({blurred, "blurred"}, {sharp, "sharp"});
}

Pairs pair_scenes(const fs::path& root) {
    shared_files::require_folder(root, "root");
    Pairs pairs;
    for (const fs::directory_entry& scene : fs::directory_iterator(root)) {
        const fs::path blurred = scene.path() / "blur";
        const fs::path sharp = scene.path() / "sharp";
        if (!fs::is_directory(blurred) && !fs::is_directory(sharp)) {
            continue;
        }
        for (const auto& [name, files] : shared_files::pair_by_name({blurred, "root"}, {sharp, "root"})) {
            pairs[(scene.path().filename() / name).string()] = files;
        }
    }
    if (pairs.empty()) {
        throw sdk::Failure(SLUICE_INVALID,
                           "option 'root': no folder in '" + root.string() + "' has folders 'blur' and 'sharp' in it");
    }
    return pairs;
}

}  // namespace sluice::image_pairs
