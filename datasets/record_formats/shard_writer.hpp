// Writes a file in Sluice's own format, from the first byte to the last.
#pragma once

#include "packed_sample.hpp"

namespace sluice::records {

class ShardWriter {
public:
    ShardWriter(ByteSink& to, std::vector<FieldLayout> fields);
    void add(const PackedSample& sample);
    // Writes index, manifest and tail. The file is incomplete before.
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
