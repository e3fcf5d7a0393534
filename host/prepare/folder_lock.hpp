// A folder that one process alone writes into.
#pragma once

#include <filesystem>

namespace sluice::prepare {

// Keeps others from writing into a folder while it lives, also if the process is killed.
class FolderLock {
public:
    // Makes the folder. Throws Error(Exit::save) where somebody else holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int handle_;
};

}  // namespace sluice::prepare
