#include "diagnose/trial/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <system_error>
#include <vector>

namespace sluice::diagnose {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "in_use";

// Returns a descriptor of the folder's locked file; -1: another process holds it, or there is no such file.
int lock(const fs::path& folder, int flags) {
    const int file = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | flags, 0644);
    if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0) {
        ::close(file);
        return -1;
    }
    return file;
}

// A folder that is this new may belong to a process that has not locked it yet.
bool is_new(const fs::path& folder) {
    std::error_code failed;
    const auto written = fs::last_write_time(folder, failed);
    return failed || fs::file_time_type::clock::now() - written < std::chrono::minutes(1);
}

void remove_left(const fs::path& parent, const std::string& beginning) {
    std::error_code failed;
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator(parent, failed)) {
        if (entry.path().filename().string().starts_with(beginning) && !is_new(entry.path())) {
            left.push_back(entry.path());
        }
    }
    for (const fs::path& folder : left) {
        if (const int file = lock(folder, 0); file >= 0) {
            fs::remove_all(folder, failed);
            ::close(file);
        }
    }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& beginning) : folder_(parent, beginning) {
    lock_ = lock(folder_.path(), O_CREAT);
    remove_left(parent, beginning);
}

ScratchFolder::~ScratchFolder() {
    if (lock_ >= 0) {
        ::close(lock_);
    }
}

}  // namespace sluice::diagnose
