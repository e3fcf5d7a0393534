// The kernel tuning cache: choices that kernels made by measuring once, by provider and key. The choices of a
// checkpoint take precedence over those of the user's cache file, which all runs share.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sluice::registry {

class TuningCache {
public:
    // "provider<TAB>key" to choice.
    using Entries = std::map<std::string, std::string>;

    // An empty cache without a file.
    TuningCache() = default;
    // Reads `file`; a damaged file is ignored with a warning. If `measure` is false, kernels do not measure, and the
    // file is neither read nor written.
    TuningCache(std::filesystem::path file, bool measure);
    // "kernels.tsv" in the user's cache folder; empty if there is no such folder.
    [[nodiscard]] static std::filesystem::path default_file();

    [[nodiscard]] bool may_measure() const { return measure_; }
    // Returns an empty string if there is no choice for the key.
    std::string recall(const std::string& provider, const std::string& key);
    void remember(const std::string& provider, const std::string& key, const std::string& choice);

    // The choices that this run recalled, remembered or restored, as text for a checkpoint. restore() reads it back.
    [[nodiscard]] std::string used() const;
    void restore(const std::string& text);
    // Adds choices remembered since the last save() to the file. Only warns on failure, since kernels can be tuned
    // again.
    void save();

private:
    // Warns only once, because a file that cannot be read cannot be written either.
    void warn_without_file(const std::string& why);

    std::filesystem::path file_;
    bool measure_ = true;
    bool lacks_file_ = false;  // reading or writing failed and was logged
    Entries used_;
    Entries stored_;  // contents of the file
    Entries fresh_;   // not in the file yet
};

}  // namespace sluice::registry
