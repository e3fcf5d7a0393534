// A gzip file as the bytes that are packed in it, and the way into its middle: a copy of the unpacker's state at some
// places.
#pragma once

#include <memory>

#include "input_file.hpp"

namespace sluice::records {

bool is_gzip(ByteSpan head);

// Unpacks from one place on. The file outlives it.
class GzipReader {
public:
    explicit GzipReader(const InputFile& file);  // at its beginning
    ~GzipReader();
    GzipReader(GzipReader&& other) noexcept;
    GzipReader& operator=(GzipReader&&) = delete;
    // Another one at the same place; any thread may ask for it while nobody moves this one.
    [[nodiscard]] GzipReader copy() const;

    // In unpacked bytes.
    [[nodiscard]] std::uint64_t position() const;
    // Fewer only at the end; throws Damage where the file is damaged or cut off.
    std::uint64_t read_some(std::uint8_t* to, std::uint64_t bytes);
    void skip(std::uint64_t bytes);

private:
    struct State;
    explicit GzipReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Packs what it is given and hands it on.
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
