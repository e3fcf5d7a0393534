// Writes one of our own files, from its first byte to its last.
#pragma once

#include "packed_sample.hpp"

namespace sluice::records {

class ShardWriter {
public:
    ShardWriter(ByteSink& to, std::vector<FieldLayout> fields);
    void add(const PackedSample& sample);
    // Writes what follows the samples. Not a whole file before.
    void finish(std::string_view manifest);

private:
    void write(ByteSpan bytes);
    [[nodiscard]] Bytes index() const;

    ByteSink& to_;
    std::vector<FieldLayout> fields_;
    std::uint64_t written_ = 0;
    std::uint64_t samples_ = 0;
    Bytes entries_;
    std::string names_;
};

}  // namespace sluice::records
