// The record of one sample in a disk cache: bytes with checksums. Private to this folder.
//
//   header   64 bytes
//   specs    one sluice_tensor_spec for each field, then the bytes of the sample's name; padded to 64
//   fields   the bytes of each field, padded to 64
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
    std::uint64_t rest_hash;   // XXH3 of all bytes after the header
    std::uint64_t is_damaged;  // 1: found damaged after it was written; readers skip the record
    std::uint64_t unused;
    std::uint64_t hash;  // XXH3 of the header up to here
};
static_assert(sizeof(RecordHeader) == kRecordAlignment);

// A record to write: the parts follow each other in the file. The bytes of the fields belong to the caller.
struct KeptRecord {
    std::vector<std::uint8_t> head;  // header, specs and name
    std::vector<std::span<const std::uint8_t>> parts;
    std::uint64_t bytes = 0;
};

void make_record(std::uint64_t index, const std::string& name, std::span<const TensorView> fields, KeptRecord& record);
[[nodiscard]] bool is_whole(const RecordHeader& header);
void mark_damaged(RecordHeader& header);
// Parses the record in `sample.bytes` into the name and fields of `sample`. False if the record is damaged, of another
// sample, or has other fields.
[[nodiscard]] bool read_record(std::uint64_t index, std::span<const sluice_tensor_spec> fields, CachedSample& sample);

}  // namespace sluice::data
