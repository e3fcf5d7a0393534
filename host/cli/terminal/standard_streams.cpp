#include "cli/terminal/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <streambuf>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"

namespace sluice::cli {
namespace {

// Keeps the first error of writing, which std::cout alone does not.
class OutputBuffer final : public std::streambuf {
public:
    OutputBuffer() : bytes_(kSize), is_terminal_(::isatty(STDOUT_FILENO) == 1) {
        setp(bytes_.data(), bytes_.data() + bytes_.size());
    }
    // An errno; 0: everything was written so far.
    [[nodiscard]] int error() const { return error_; }

protected:
    int_type overflow(int_type character) override {
        if (sync() != 0) {
            return traits_type::eof();
        }
        return traits_type::eq_int_type(character, traits_type::eof()) ? traits_type::not_eof(character)
                                                                       : sputc(traits_type::to_char_type(character));
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const std::streamsize put = std::streambuf::xsputn(text, size);
        const bool ends_line =
            std::string_view(text, static_cast<std::size_t>(put)).find('\n') != std::string_view::npos;
        return is_terminal_ && ends_line && sync() != 0 ? 0 : put;
    }
    int sync() override {
        const char* next = pbase();
        while (error_ == 0 && next < pptr()) {
            const ssize_t written = ::write(STDOUT_FILENO, next, static_cast<std::size_t>(pptr() - next));
            if (written >= 0) {
                next += written;
            } else if (errno != EINTR) {
                error_ = errno;
            }
        }
        setp(bytes_.data(), bytes_.data() + bytes_.size());
        return error_ == 0 ? 0 : -1;
    }

private:
    static constexpr std::size_t kSize = 1 << 16;

    std::vector<char> bytes_;
    bool is_terminal_;
    int error_ = 0;
};

// Never destroyed, because std::cout is flushed when the process exits.
OutputBuffer& output_buffer() {
    static auto* const buffer = new OutputBuffer;
    return *buffer;
}

}  // namespace

void open_standard_streams() {
    for (const int number : {SIGPIPE, SIGXFSZ}) {
        std::signal(number, SIG_IGN);
    }
    // open() takes the lowest free number. Standard output is opened for reading, so that writing results to it fails.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            [[maybe_unused]] const int opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
    std::cout.rdbuf(&output_buffer());
}

int finish_output(int code) {
    std::cout.flush();
    const int error = output_buffer().error();
    if (error == 0) {
        return code;
    }
    if (error != EPIPE) {
        log::error(fmt::format("standard output is incomplete: {}", std::strerror(error)));
    }
    const int own = error == EPIPE ? 128 + SIGPIPE : static_cast<int>(Exit::save);
    return code == 0 ? own : code;
}

}  // namespace sluice::cli
