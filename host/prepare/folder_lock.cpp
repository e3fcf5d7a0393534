#include "prepare/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"

namespace sluice::prepare {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    handle_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (problem || handle_ < 0) {
        const std::string reason = problem ? problem.message() : std::strerror(errno);
        throw Error(Exit::save, fmt::format("{}: cannot create this folder: {}{}", folder.string(), reason,
                                            removed_folder_text(folder)));
    }
    if (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
        ::close(handle_);
        throw Error(Exit::save,
                    fmt::format("{}: another {} writes into this folder", folder.string(), typed("prepare")));
    }
}

FolderLock::~FolderLock() { ::close(handle_); }

}  // namespace sluice::prepare
