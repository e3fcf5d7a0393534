// A file that is either complete or missing, and its SHA-256. No other process may write into its folder.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "record_formats/bytes.hpp"

namespace sluice::prepare {

class OutputFile final : public records::ByteSink {
public:
    // All functions throw Error(Exit::save).
    explicit OutputFile(std::filesystem::path path);
    void write(records::ByteSpan bytes) override;
    // Completes the file and returns its SHA-256.
    std::string finish();
    [[nodiscard]] std::uint64_t written() const { return written_; }

private:
    void flush();

    WholeFile file_;
    Sha256 sum_;
    records::Bytes buffer_;
    std::uint64_t written_ = 0;
};

}  // namespace sluice::prepare
