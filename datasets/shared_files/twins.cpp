#include "twins.hpp"

#include <vector>

#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::shared_files {
namespace {

std::map<std::string, fs::path> pictures_by_name(const NamedFolder& folder) {
    std::map<std::string, fs::path> pictures;
    for (const std::string& relative : list_pictures(folder.path, folder.option, folder.suffixes)) {
        const auto [entry, is_new] =
            pictures.emplace(fs::path(relative).replace_extension().string(), folder.path / relative);
        if (!is_new) {
            throw sdk::Failure(SLUICE_INVALID, "'" + entry->second.string() + "' and '" +
                                                   (folder.path / relative).string() +
                                                   "' differ only in their suffix: keep one of them");
        }
    }
    return pictures;
}

// Descriptions of the pictures in `from` that have no twin in `to`.
void find_lonely(const std::map<std::string, fs::path>& from, const std::map<std::string, fs::path>& to,
                 const NamedFolder& twin_folder, std::vector<std::string>& lonely) {
    for (const auto& [name, file] : from) {
        if (!to.contains(name)) {
            lonely.push_back("'" + file.string() + "' has no twin '" + (twin_folder.path / name).string() +
                             "' with suffix " + text_of(twin_folder.suffixes));
        }
    }
}

}  // namespace

std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second) {
    const auto of_first = pictures_by_name(first);
    const auto of_second = pictures_by_name(second);
    std::vector<std::string> lonely;
    find_lonely(of_first, of_second, second, lonely);
    find_lonely(of_second, of_first, first, lonely);
    if (!lonely.empty()) {
        const std::size_t more = lonely.size() - 1;
        throw sdk::Failure(
            SLUICE_BAD_SAMPLE,
            lonely.front() + (more == 0 ? "" : " (and " + std::to_string(more) + " more without a twin)"));
    }
    std::map<std::string, Twins> twins;
    for (const auto& [name, file] : of_first) {
        twins[name] = {file, of_second.at(name)};
    }
    return twins;
}

}  // namespace sluice::shared_files
