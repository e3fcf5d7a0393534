// Finds names that look the same to a reader but differ for the file system.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sluice::shared_files {

// Returns the name case-folded, in one Unicode form; unchanged if it is not UTF-8.
std::string folded(std::string_view name);

class NearNames {
public:
    explicit NearNames(std::span<const std::string> names);
    // The first name that equals `name` except for letter case or Unicode form; null: there is none.
    [[nodiscard]] const std::string* find(std::string_view name) const;

private:
    std::map<std::string, std::string> names_;  // folded name -> name
};

// An existing path that equals `missing` except for the letter case or Unicode form of its parts; empty if there is
// none.
std::filesystem::path near_path(const std::filesystem::path& missing);

// Returns a warning about the first two files or folders whose names differ only in their Unicode form, as macOS and
// Linux write them; empty if there are none. `names`: paths.
std::string differ_in_form(std::span<const std::string> names);

// Returns how two such names differ: "in letter case" or "in its Unicode form (NFC or NFD)".
std::string difference(std::string_view name, std::string_view near);

}  // namespace sluice::shared_files
