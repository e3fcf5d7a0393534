// Folders that nobody else uses.
#pragma once

#include <filesystem>
#include <string>

namespace sluice {

// Makes a folder in `parent` whose name starts with `beginning`. The caller removes it. Throws Error(Exit::save) if it
// cannot be made.
std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& beginning);

// A folder that is removed at the end of the scope, with all that is in it.
class TemporaryFolder {
public:
    TemporaryFolder(const std::filesystem::path& parent, const std::string& beginning)
        : path_(new_folder(parent, beginning)) {}
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace sluice
