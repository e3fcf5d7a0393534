// A file that is whole or not there: written aside, with its SHA-256, flushed to the disk, then renamed.
#pragma once

#include <openssl/evp.h>

#include <filesystem>
#include <memory>
#include <string>

#include "record_formats/bytes.hpp"

namespace sluice::prepare {

// The name that a file has while it is written.
std::filesystem::path aside(const std::filesystem::path& path);

class OutputFile final : public records::ByteSink {
public:
    // Throws Error(Exit::save), as all of it.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile() override;  // removes what is not finished
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    void write(records::ByteSpan bytes) override;
    // Returns the SHA-256.
    std::string finish();
    [[nodiscard]] std::uint64_t written() const { return written_; }

private:
    void flush();
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path path_;
    int handle_;
    records::Bytes buffer_;
    std::uint64_t written_ = 0;
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> sum_;
};

// SHA-256 of a file. Throws Error(Exit::save).
std::string sha256_of_file(const std::filesystem::path& path);

// Keeps others from writing into a folder while it lives, also if the process is killed.
class FolderLock {
public:
    // Makes the folder. Throws Error(Exit::save) where somebody else holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int handle_;
};

}  // namespace sluice::prepare
