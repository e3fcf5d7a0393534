#include "pairing.hpp"

#include <vector>

#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::image_pairs {
namespace {

[[noreturn]] void invalid(const std::string& message) { throw sdk::Failure(SLUICE_INVALID, message); }

// Name of the pair to file, for one of the two folders.
std::map<std::string, fs::path> pictures_by_name(const fs::path& folder, const std::string& option) {
    std::map<std::string, fs::path> pictures;
    for (const std::string& relative : shared_files::list_pictures(folder, option)) {
        const auto [entry, is_new] =
            pictures.emplace(fs::path(relative).replace_extension().string(), folder / relative);
        if (!is_new) {
            invalid("'" + entry->second.string() + "' and '" + (folder / relative).string() +
                    "' differ only in their suffix: keep one of them");
        }
    }
    return pictures;
}

// Descriptions of the pictures in `from` that have no twin in `to`.
void find_lonely(const std::map<std::string, fs::path>& from, const std::map<std::string, fs::path>& to,
                 const fs::path& twin_folder, std::vector<std::string>& lonely) {
    for (const auto& [name, file] : from) {
        if (!to.contains(name)) {
            lonely.push_back("'" + file.string() + "' has no twin '" + (twin_folder / name).string() +
                             "' with suffix .jpg, .jpeg or .png");
        }
    }
}

Pairs pair(const fs::path& blurred, const std::string& blurred_option, const fs::path& sharp,
           const std::string& sharp_option) {
    const auto blurred_pictures = pictures_by_name(blurred, blurred_option);
    const auto sharp_pictures = pictures_by_name(sharp, sharp_option);
    std::vector<std::string> lonely;
    find_lonely(blurred_pictures, sharp_pictures, sharp, lonely);
    find_lonely(sharp_pictures, blurred_pictures, blurred, lonely);
    if (!lonely.empty()) {
        const std::size_t more = lonely.size() - 1;
        throw sdk::Failure(
            SLUICE_BAD_SAMPLE,
            lonely.front() + (more == 0 ? "" : " (and " + std::to_string(more) + " more without a twin)"));
    }
    Pairs pairs;
    for (const auto& [name, file] : blurred_pictures) {
        pairs[name] = {file, sharp_pictures.at(name)};
    }
    return pairs;
}

}  // namespace

Pairs pair_folders(const fs::path& blurred, const fs::path& sharp) { return pair(blurred, "blurred", sharp, "sharp"); }

Pairs pair_scenes(const fs::path& root) {
    shared_files::require_folder(root, "root");
    Pairs pairs;
    for (const fs::directory_entry& scene : fs::directory_iterator(root)) {
        const fs::path blurred = scene.path() / "blur";
        const fs::path sharp = scene.path() / "sharp";
        if (!fs::is_directory(blurred) && !fs::is_directory(sharp)) {
            continue;
        }
        for (const auto& [name, files] : pair(blurred, "root", sharp, "root")) {
            pairs[(scene.path().filename() / name).string()] = files;
        }
    }
    if (pairs.empty()) {
        invalid("option 'root': no folder in '" + root.string() + "' has folders 'blur' and 'sharp' in it");
    }
    return pairs;
}

}  // namespace sluice::image_pairs
