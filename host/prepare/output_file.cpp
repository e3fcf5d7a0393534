#include "prepare/output_file.hpp"

#include <utility>

namespace sluice::prepare {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : file_(std::move(path)) { buffer_.reserve(kBuffer); }

void OutputFile::write(records::ByteSpan bytes) {
    written_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) {
        flush();
    }
    records::append(buffer_, bytes);
}

void OutputFile::flush() {
    sum_.add(buffer_);
    file_.write({reinterpret_cast<const char*>(buffer_.data()), buffer_.size()});
    buffer_.clear();
}

std::string OutputFile::finish() {
    flush();
    file_.finish();
    return sum_.finish();
}

}  // namespace sluice::prepare
