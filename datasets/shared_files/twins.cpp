#include "twins.hpp"

#include <vector>

#include "file_bytes.hpp"
#include "file_identity.hpp"
#include "missing_files.hpp"
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

}  // namespace

std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second) {
    const auto of_first = pictures_by_name(first);
    const auto of_second = pictures_by_name(second);
    const auto lonely = [](const fs::path& file, const NamedFolder& twin_folder, const std::string& name) {
        return "'" + file.string() + "' has no twin '" + (twin_folder.path / name).string() + "' with suffix " +
               text_of(twin_folder.suffixes);
    };
    std::map<std::string, Twins> twins;
    for (const auto& [name, file] : of_first) {
        const auto twin = of_second.find(name);
        twins[name] = twin != of_second.end() ? Twins{file, twin->second}
                                              : Twins{file, second.path / name, lonely(file, second, name)};
    }
    for (const auto& [name, file] : of_second) {
        twins.try_emplace(name, Twins{first.path / name, file, lonely(file, first, name)});
    }
    return twins;
}

void tell_missing_twins(const sdk::Host& host, const sdk::Options& options, const std::map<std::string, Twins>& twins) {
    std::vector<std::string> missing;
    for (const auto& [name, files] : twins) {
        if (!files.missing.empty()) {
            missing.push_back(files.missing);
        }
    }
    tell_missing(host, options, missing);
}

void read_twins(const Twins& twins, const sdk::SampleSink& sink) {
    sink.name(twins.first.string() + " with " + twins.second.string());
    if (!twins.missing.empty()) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, twins.missing);
    }
    read_file(twins.first, 0, sink);
    read_file(twins.second, 1, sink);
}

std::array<std::uint64_t, 2> identity_of_twins(std::span<const Twins> all) {
    std::vector<std::string> files;
    for (const Twins& twins : all) {
        files.push_back(twins.first.string());
        files.push_back(twins.second.string());
    }
    return file_identity({}, files);
}

}  // namespace sluice::shared_files
