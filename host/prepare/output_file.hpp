// A file that is whole or not there, with its SHA-256, in a folder that nobody else writes into.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "record_formats/bytes.hpp"

namespace sluice::prepare {

class OutputFile final : public records::ByteSink {
public:
    // Throws Error(Exit::save), as all of it.
    explicit OutputFile(std::filesystem::path path);
    void write(records::ByteSpan bytes) override;
    // Returns the SHA-256.
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
