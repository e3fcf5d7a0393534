// Files that an observer writes.
#include "output_file.hpp"

#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int code) {
    throw sdk::Failure(SLUICE_FAILED, std::string("cannot ") + what + " " + path.string() + ": " +
                                          std::generic_category().message(code));
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "ab")) {
    if (file_ == nullptr) {
        fail("open", path_, errno);
    }
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
        fail("write", path_, errno);
    }
}

void OutputFile::flush() {
    if (std::fflush(file_.get()) != 0) {
        fail("write", path_, errno);
    }
}

void replace_file(const std::filesystem::path& path, std::string_view content) {
    const std::filesystem::path part = path.string() + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (file == nullptr) {
        fail("open", part, errno);
    }
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    const int write_error = errno;
    // Closing writes what is still buffered, so it can find the disk full as well.
    const bool closed = std::fclose(file) == 0;
    const int close_error = errno;
    if (!written || !closed) {
        std::remove(part.c_str());
        fail("write", part, written ? close_error : write_error);
    }
    if (std::rename(part.c_str(), path.c_str()) != 0) {
        fail("replace", path, errno);
    }
}

std::string read_file(const std::filesystem::path& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        if (errno == ENOENT) {
            return {};
        }
        fail("read", path, errno);
    }
    std::string content;
    char block[65536];
    for (std::size_t got = 0; (got = std::fread(block, 1, sizeof(block), file)) > 0;) {
        content.append(block, got);
    }
    const bool failed = std::ferror(file) != 0;
    const int code = errno;
    std::fclose(file);
    if (failed) {
        fail("read", path, code);
    }
    return content;
}

std::vector<std::string> whole_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line) && !stream.eof();) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace sluice::observers
