// What kernels measured once and chose, by provider and key. A checkpoint's choices come first, then those of a file of
// the user's, which all runs share.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sluice::registry {

class Choices {
public:
    // "provider<TAB>key" to choice.
    using Entries = std::map<std::string, std::string>;

    // Knows nothing and writes nothing.
    Choices() = default;
    // Reads `file`; a damaged one is passed over with a warning. `measure` false: nothing is measured and the file is
    // left alone.
    Choices(std::filesystem::path file, bool measure);
    // "kernels.tsv" in the user's cache; empty where there is none.
    [[nodiscard]] static std::filesystem::path default_file();

    [[nodiscard]] bool may_measure() const { return measure_; }
    // Empty: nothing is known.
    std::string recall(const std::string& provider, const std::string& key);
    void remember(const std::string& provider, const std::string& key, const std::string& choice);

    // Those that were recalled or remembered, and those that were restored, as text for a checkpoint; and back.
    [[nodiscard]] std::string used() const;
    void restore(const std::string& text);
    // Adds what was remembered since to the file. Failing is a warning: it costs measuring again.
    void save();

private:
    // Once; what cannot be read cannot be written either.
    void warn_without_file(const std::string& why);

    std::filesystem::path file_;
    bool measure_ = true;
    bool lacks_file_ = false;  // it could not be read or written, which was logged
    Entries used_;
    Entries stored_;  // what the file held
    Entries fresh_;   // what it does not hold yet
};

}  // namespace sluice::registry
