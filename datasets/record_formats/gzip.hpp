// Reads and writes gzip files. To start reading in the middle, copy a reader that is at that position.
#pragma once

#include <memory>

#include "input_file.hpp"

namespace sluice::records {

bool is_gzip(ByteSpan head);

// Decompresses from a position on. The file has to outlive the reader.
class GzipReader {
public:
    explicit GzipReader(const InputFile& file);  // at the beginning of the file
    ~GzipReader();
    GzipReader(GzipReader&& other) noexcept;
    GzipReader& operator=(GzipReader&&) = delete;
    // Returns a reader at the same position. Any thread may call it while no thread moves this reader.
    [[nodiscard]] GzipReader copy() const;

    // In decompressed bytes.
    [[nodiscard]] std::uint64_t position() const;
    // Returns fewer bytes only at the end. Throws Damage if the file is damaged or truncated.
    std::uint64_t read_some(std::uint8_t* to, std::uint64_t bytes);
    void skip(std::uint64_t bytes);

private:
    struct State;
    explicit GzipReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Compresses what is written to it, and writes the result to another sink.
class GzipSink final : public ByteSink {
public:
    explicit GzipSink(ByteSink& to);
    ~GzipSink() override;
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;
    void write(ByteSpan bytes) override;
    void finish();

private:
    void pack(ByteSpan bytes, int flush);
    struct State;
    std::unique_ptr<State> state_;
    ByteSink& to_;
};

}  // namespace sluice::records
