// Names that a reader takes for the same and a file system does not.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sluice::shared_files {

// Without letter case, in one Unicode form. Bytes that are not UTF-8 stay as they are.
std::string folded(std::string_view name);

class NearNames {
public:
    explicit NearNames(std::span<const std::string> names);
    // The first of them that differs from `name` in letter case or in its Unicode form alone; NULL: there is none.
    [[nodiscard]] const std::string* find(std::string_view name) const;

private:
    std::map<std::string, std::string> names_;  // by what is left of them without these
};

// The path that is there if single parts of `missing` are written in other letter case or in another Unicode form;
// empty if there is none.
std::filesystem::path near_path(const std::filesystem::path& missing);

// Names the first two folders or files whose names differ in their Unicode form alone, as macOS and Linux write them:
// what a reader takes for one is read as two. `names`: paths. Empty if there are none.
std::string differ_in_form(std::span<const std::string> names);

// "in letter case", "in its Unicode form (NFC or NFD)": how two such names differ.
std::string difference(std::string_view name, std::string_view near);

}  // namespace sluice::shared_files
