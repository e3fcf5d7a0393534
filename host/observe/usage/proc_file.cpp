#include "observe/usage/proc_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <utility>

namespace sluice::observe {

ProcFile::ProcFile(const std::filesystem::path& path) : handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

ProcFile::~ProcFile() {
    if (handle_ >= 0) {
        ::close(handle_);
    }
}

ProcFile::ProcFile(ProcFile&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

ProcFile& ProcFile::operator=(ProcFile&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}

std::string_view ProcFile::read(ProcBuffer& buffer) const {
    std::size_t size = 0;
    while (handle_ >= 0 && size < buffer.size()) {
        const ssize_t got = ::pread(handle_, buffer.data() + size, buffer.size() - size, static_cast<off_t>(size));
        if (got <= 0) {
            return got < 0 ? std::string_view() : std::string_view(buffer.data(), size);
        }
        size += static_cast<std::size_t>(got);
    }
    return {buffer.data(), size};
}

std::optional<std::uint64_t> next_number(std::string_view text, std::size_t& at) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) {
        at = text.size();
        return std::nullopt;
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    at = static_cast<std::size_t>(end - text.data());
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::string_view one = text.substr(line, end - line);
        if (one.size() > key.size() && one.starts_with(key) && (one[key.size()] == ':' || one[key.size()] == ' ')) {
            std::size_t at = key.size();
            return next_number(one, at);
        }
        line = end + 1;
    }
    return std::nullopt;
}

}  // namespace sluice::observe
