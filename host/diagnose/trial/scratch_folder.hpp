// A folder for files of trainings that are only measured.
#pragma once

#include <filesystem>
#include <string>

#include "base/temporary_folder.hpp"

namespace sluice::diagnose {

// Is removed at the end of the scope. One that a killed process left is removed when the next one is made in the same
// parent with the same beginning. Throws Error(Exit::save) if it cannot be made.
class ScratchFolder {
public:
    ScratchFolder(const std::filesystem::path& parent, const std::string& beginning);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

private:
    TemporaryFolder folder_;
    int lock_ = -1;
};

}  // namespace sluice::diagnose
