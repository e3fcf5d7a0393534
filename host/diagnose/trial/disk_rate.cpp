#include "diagnose/trial/disk_rate.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/temporary_folder.hpp"

namespace sluice::diagnose {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kPieces = 64;

bool write_pieces(int file, const std::vector<char>& piece) {
    for (std::size_t i = 0; i < kPieces; ++i) {
        if (::write(file, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) {
            return false;
        }
    }
    return ::fsync(file) == 0 && ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 &&
           ::lseek(file, 0, SEEK_SET) == 0;
}

double rate_of(int file) {
    std::vector<char> piece(kPiece);
    for (std::size_t i = 0; i < piece.size(); ++i) {
        piece[i] = static_cast<char>(i * i >> 3U);  // zeros would be stored as holes by some disks
    }
    if (!write_pieces(file, piece)) {
        return 0.0;
    }
    const double began = now();
    std::size_t bytes = 0;
    for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size())) > 0;) {
        bytes += static_cast<std::size_t>(got);
    }
    return static_cast<double>(bytes) / (now() - began);
}

}  // namespace

double disk_read_rate(const std::filesystem::path& folder) {
    try {
        const TemporaryFolder own(folder, ".rate-");
        const int file = ::open((own.path() / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        const double rate = file >= 0 ? rate_of(file) : 0.0;
        if (file >= 0) {
            ::close(file);
        }
        return rate;
    } catch (const Error&) {  // the folder cannot be written
        return 0.0;
    }
}

}  // namespace sluice::diagnose
