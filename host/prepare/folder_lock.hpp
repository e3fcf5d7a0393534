// A lock on a folder into which only one process may write.
#pragma once

#include <filesystem>

namespace sluice::prepare {

// Keeps other processes from preparing into a folder. The kernel also releases it if the process is killed.
class FolderLock {
public:
    // Creates the folder. Throws Error(Exit::save) if that fails or another process holds the lock.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int handle_;
};

}  // namespace sluice::prepare
