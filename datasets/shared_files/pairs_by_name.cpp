#include "pairs_by_name.hpp"

#include <vector>

#include "affix.hpp"
#include "file_bytes.hpp"
#include "file_identity.hpp"
#include "missing_files.hpp"
#include "near_names.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::shared_files {
namespace {

using Pictures = std::map<std::string, fs::path>;

Pictures pictures_by_name(const NamedFolder& folder, SkippedFiles& skipped_files) {
    Pictures pictures;
    for (const std::string& relative : list_pictures(folder.path, folder.option, skipped_files, folder.suffixes)) {
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

// Names in `pictures` that are missing from `others`.
std::vector<std::string> lonely_names(const Pictures& pictures, const Pictures& others) {
    std::vector<std::string> names;
    for (const auto& [name, file] : pictures) {
        if (!others.contains(name)) {
            names.push_back(name);
        }
    }
    return names;
}

std::string lonely(const fs::path& file, const NamedFolder& twin_folder, const std::string& name) {
    return "'" + file.string() + "' has no twin '" + (twin_folder.path / name).string() + "' with suffix " +
           text_of(twin_folder.suffixes);
}

// Names a picture whose name looks the same to a reader.
std::string near_twin(const std::string& name, const NearNames& others, const Pictures& pictures) {
    const std::string* const near = others.find(name);
    return near == nullptr ? ""
                           : "; the name of '" + pictures.at(*near).string() + "' differs only " +
                                 difference(name, *near) + ": rename one of the two";
}

// The message if the names of one folder have an addition that those of the other lack; else empty.
std::string added_part(const std::vector<std::string>& first, const Pictures& of_first,
                       const std::vector<std::string>& second, const Pictures& of_second) {
    const auto affix = find_affix(first, second);
    return affix ? "; twins have the same name up to the suffix: '" + of_first.at(affix->first).string() + "' and '" +
                       of_second.at(affix->second).string() + "' differ, as " + std::to_string(affix->count) + " of " +
                       std::to_string(first.size()) + " do: rename the files of one folder, or link them under the " +
                       "other names"
                 : "";
}

}  // namespace

std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second,
                                          SkippedFiles& skipped_files) {
    const Pictures of_first = pictures_by_name(first, skipped_files);
    const Pictures of_second = pictures_by_name(second, skipped_files);
    const std::vector<std::string> only_first = lonely_names(of_first, of_second);
    const std::vector<std::string> only_second = lonely_names(of_second, of_first);
    const std::string addition = added_part(only_first, of_first, only_second, of_second);
    const NearNames near_first(only_first);
    const NearNames near_second(only_second);
    std::map<std::string, Twins> twins;
    for (const auto& [name, file] : of_first) {
        const auto twin = of_second.find(name);
        twins[name] = twin != of_second.end() ? Twins{file, twin->second} : Twins{file, second.path / name, ""};
    }
    for (const std::string& name : only_first) {
        Twins& of_name = twins.at(name);
        of_name.missing = lonely(of_name.first, second, name) + near_twin(name, near_second, of_second) + addition;
    }
    for (const std::string& name : only_second) {
        const fs::path& file = of_second.at(name);
        twins[name] = {first.path / name, file,
                       lonely(file, first, name) + near_twin(name, near_first, of_first) + addition};
    }
    return twins;
}

void report_missing_twins(const sdk::Host& host, const sdk::Options& options,
                          const std::map<std::string, Twins>& twins) {
    std::vector<std::string> names;
    std::vector<std::string> missing;
    for (const auto& [name, files] : twins) {
        names.push_back(name);
        if (!files.missing.empty()) {
            missing.push_back(files.missing);
        }
    }
    report_missing(host, options, missing, twins.size());
    warn_of_forms(host, names);
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
