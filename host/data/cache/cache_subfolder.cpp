#include "data/cache/cache_subfolder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "base/text/byte_size.hpp"
#include "data/cache/cache_trim.hpp"
#include "data/cache/kept_file.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "sluice samples 1\n";
constexpr std::size_t kNameLength = 32;
constexpr const char* kInputs = "inputs.txt";
// The lock file of a folder. A user of the folder holds a shared lock on it; whoever removes the folder or files in it
// holds an exclusive one. Its modification time is the time of the last use.
constexpr const char* kHold = "in_use";

struct Folder {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used{};
};

// Returns a descriptor; closing it releases the lock. Returns -1 and sets errno on failure; ENOENT means that another
// process is removing the folder.
int lock(const fs::path& folder, int how) {
    const fs::path path = folder / kHold;
    const int handle = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    if (handle < 0) {
        return -1;
    }
    int result = 0;
    do {
        result = ::flock(handle, how);
    } while (result != 0 && errno == EINTR);
    // On a file system without locks every exclusive lock fails, so that nothing is removed.
    if (result != 0 && how != LOCK_SH) {
        ::close(handle);
        return -1;
    }
    struct stat own {};
    struct stat there {};
    if (::fstat(handle, &own) != 0 || ::stat(path.c_str(), &there) != 0 || own.st_ino != there.st_ino) {
        ::close(handle);
        errno = ENOENT;
        return -1;
    }
    return handle;
}

class Handle {
public:
    explicit Handle(int number) : number_(number) {}
    ~Handle() {
        if (is_open()) {
            ::close(number_);
        }
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

private:
    int number_;
};

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
    throw Error(Exit::config, fmt::format("transform 'cache': cannot write to folder '{}': {}", folder.string(), why));
}

// flock() releases a lock before it takes another, so another process may remove the folder in between. Then this
// function creates the folder anew.
int hold(const fs::path& folder, const std::function<void()>& alone) {
    constexpr int kTurns = 100;  // other processes may be removing the folder
    std::error_code error;
    for (int turn = 0; turn < kTurns; ++turn) {
        fs::create_directories(folder, error);
        if (error) {
            break;
        }
        if (const Handle handle(lock(folder, LOCK_EX | LOCK_NB)); handle.is_open()) {
            alone();
        }
        if (const int handle = lock(folder, LOCK_SH); handle >= 0) {
            return handle;
        }
        error.assign(errno, std::generic_category());
        if (errno != ENOENT) {
            break;
        }
    }
    refuse(folder, error.message());
}

std::string name_of(const std::string& inputs) {
    const std::array<std::string_view, 2> parts{kFormat, inputs};
    return sha256(parts).substr(0, kNameLength);
}

// Other files in the user's folder are never removed.
bool is_ours(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name.size() == kNameLength && name.find_first_not_of("0123456789abcdef") == std::string::npos &&
           !entry.is_symlink() && entry.is_directory() && fs::exists(entry.path() / kInputs);
}

// All cache folders below `whole` but `own`.
std::vector<Folder> other_folders(const fs::path& whole, const fs::path& own) {
    std::vector<Folder> folders;
    std::error_code file_error;  // other processes may remove folders meanwhile
    for (const auto& entry : fs::directory_iterator(whole, file_error)) {
        if (entry.path() == own || !is_ours(entry)) {
            continue;
        }
        Folder folder{.path = entry.path()};
        for (const fs::path& file : kept_files(folder.path)) {
            const std::uintmax_t bytes = fs::file_size(file, file_error);
            folder.bytes += file_error ? 0 : bytes;
        }
        folder.used =
            fs::last_write_time(folder.path / (fs::exists(folder.path / kHold) ? kHold : kInputs), file_error);
        folders.push_back(std::move(folder));
    }
    return folders;
}

std::uint64_t bytes_of(const std::vector<Folder>& folders) {
    std::uint64_t bytes = 0;
    for (const Folder& folder : folders) {
        bytes += folder.bytes;
    }
    return bytes;
}

// False if a process uses the folder or a file could not be removed.
bool remove_unused(const fs::path& folder) {
    const Handle handle(lock(folder, LOCK_EX | LOCK_NB));
    if (!handle.is_open()) {
        return false;
    }
    std::error_code error;
    bool is_removed = true;
    for (const fs::path& file : kept_files(folder)) {
        is_removed = fs::remove(file, error) && is_removed;
    }
    if (is_removed) {
        fs::remove(folder / kInputs, error);
        fs::remove(folder / kHold, error);
        fs::remove(folder, error);
    }
    return is_removed;
}

}  // namespace

CacheSubfolder::Hold::Hold(const fs::path& folder, const std::function<void()>& alone) : handle_(hold(folder, alone)) {
    ::futimens(handle_, nullptr);
}

CacheSubfolder::Hold::~Hold() {
    ::futimens(handle_, nullptr);
    ::close(handle_);
}

CacheSubfolder::CacheSubfolder(fs::path whole, const std::string& inputs, std::string purpose,
                               std::optional<std::uint64_t> budget)
    : whole_(std::move(whole)),
      path_(whole_ / name_of(inputs)),
      purpose_(std::move(purpose)),
      hold_(path_, [this, budget] {
          if (const std::string done = trim_cache(path_, budget); !done.empty()) {
              log::info(fmt::format("{}: {}: {}", purpose_, path_.string(), done));
          }
      }) {
    if (::access(path_.c_str(), W_OK | X_OK) != 0) {
        refuse(path_, std::strerror(errno));
    }
    if (!fs::exists(path_ / kInputs)) {
        constexpr std::uint64_t kLittle = 64 * 1024;  // bytes for the file's and the folder's metadata
        if (fs::space(path_).available < inputs.size() + kLittle) {
            static_cast<void>(free_disk(inputs.size() + kLittle));
        }
        write_file_atomically(path_ / kInputs, inputs);
    }
}

std::uint64_t CacheSubfolder::others() const { return bytes_of(other_folders(whole_, path_)); }

std::uint64_t CacheSubfolder::make_room(std::uint64_t most) const {
    std::vector<Folder> folders = other_folders(whole_, path_);
    std::ranges::sort(folders, {}, &Folder::used);
    std::uint64_t bytes = bytes_of(folders);
    for (const Folder& folder : folders) {
        if (bytes <= most) {
            break;
        }
        if (folder.bytes > 0 && remove_unused(folder.path)) {
            bytes -= folder.bytes;
            const auto age =
                std::chrono::duration<double, std::ratio<3600>>(fs::file_time_type::clock::now() - folder.used);
            log::info(
                fmt::format("{}: removed {} ({} of samples for other inputs, last used {:.1f} hours ago) to make room",
                            purpose_, folder.path.string(), format_size(folder.bytes), age.count()));
        }
    }
    return bytes;
}

bool CacheSubfolder::free_disk(std::uint64_t bytes) const {
    const std::uint64_t before = others();
    return make_room(before - std::min(before, bytes)) < before;
}

}  // namespace sluice::data
