// One sample as a row of bytes, with checksums: how DiskCache keeps it. Private to this folder.
//
//   header   64 bytes
//   specs    one sluice_tensor_spec for each field, then the name's bytes; padded to 64
//   fields   the bytes of each, padded to 64
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/cache/cache.hpp"

namespace sluice::data {

inline constexpr std::size_t kRecordAlignment = 64;

struct RecordHeader {
    std::uint64_t magic;
    std::uint64_t index;  // of the sample
    std::uint64_t bytes;  // of the record, with this header
    std::uint32_t fields;
    std::uint32_t name_bytes;
    std::uint64_t rest_hash;   // XXH3 of all behind the header
    std::uint64_t is_damaged;  // 1: that was found out later, and nobody reads it
    std::uint64_t unused;
    std::uint64_t hash;  // XXH3 of the header up to here
};
static_assert(sizeof(RecordHeader) == kRecordAlignment);

// A record that is to be written: its parts follow each other. Fields are lent.
struct KeptRecord {
    std::vector<std::uint8_t> head;  // header, specs and name
    std::vector<std::span<const std::uint8_t>> parts;
    std::uint64_t bytes = 0;
};

void make_record(std::uint64_t index, const std::string& name, std::span<const TensorView> fields, KeptRecord& record);
// Whether that is the whole header of a record.
[[nodiscard]] bool is_whole(const RecordHeader& header);
void mark_damaged(RecordHeader& header);
// From sample.bytes, which holds a record, to the rest of it. False where it is not the record of that sample, with
// such fields.
[[nodiscard]] bool read_record(std::uint64_t index, std::span<const sluice_tensor_spec> fields, KeptSample& sample);

}  // namespace sluice::data
