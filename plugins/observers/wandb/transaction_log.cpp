// The records of a .wandb file.
#include "wandb/transaction_log.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace sluice::observers::wandb {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kBlock = 32768;
constexpr std::size_t kChunkHead = 7;  // checksum (4), length (2) and type (1)
constexpr std::string_view kFileHead(":W&B\xE1\xBE\x00", 7);

enum ChunkType : std::uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

std::uint32_t checksum(std::uint8_t type, std::string_view data) {
    const uLong sum = ::crc32(0, &type, 1);
    return static_cast<std::uint32_t>(
        ::crc32_z(sum, reinterpret_cast<const Bytef*>(data.data()), data.size()));  // NOLINT: zlib's types
}

ChunkType type_of(bool is_first, bool is_last) {
    if (is_first) {
        return is_last ? kFull : kFirst;
    }
    return is_last ? kLast : kMiddle;
}

void append_chunk(std::string& to, ChunkType type, std::string_view data) {
    const std::uint32_t sum = checksum(type, data);
    const auto length = static_cast<std::uint16_t>(data.size());
    to.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
    to.append(reinterpret_cast<const char*>(&length), sizeof(length));
    to += static_cast<char>(type);
    to += data;
}

void append_record(std::string& to, std::uint64_t offset, std::string_view record) {
    bool is_first = true;
    do {
        std::size_t room = kBlock - offset % kBlock;
        if (room < kChunkHead) {
            to.append(room, '\0');
            offset += room;
            room = kBlock;
        }
        const std::string_view data = record.substr(0, room - kChunkHead);
        record.remove_prefix(data.size());
        append_chunk(to, type_of(is_first, record.empty()), data);
        offset += kChunkHead + data.size();
        is_first = false;
    } while (!record.empty());
}

struct Chunk {
    std::uint8_t type = 0;  // 0: it is damaged or cut off
    std::string_view data;
};

Chunk chunk_at(std::string_view file, std::size_t at) {
    if (file.size() - at < kChunkHead) {
        return {};
    }
    std::uint32_t sum = 0;
    std::uint16_t length = 0;
    std::memcpy(&sum, file.data() + at, sizeof(sum));
    std::memcpy(&length, file.data() + at + sizeof(sum), sizeof(length));
    const auto type = static_cast<std::uint8_t>(file[at + kChunkHead - 1]);
    const std::string_view data = file.substr(at + kChunkHead, length);
    const bool is_whole = data.size() == length && type >= kFull && type <= kLast && checksum(type, data) == sum;
    return is_whole ? Chunk{type, data} : Chunk{};
}

}  // namespace

RecordFile::Format log_format() { return {std::string(kFileHead), append_record}; }

void read_log(std::string_view file, const RecordTaker& take) {
    if (!file.starts_with(kFileHead)) {
        return;
    }
    std::string record;
    bool is_open = false;  // the record has a first chunk, which may be empty
    for (std::size_t at = kFileHead.size(); at < file.size();) {
        if (const std::size_t room = kBlock - at % kBlock; room < kChunkHead) {
            at += room;
            continue;
        }
        const Chunk chunk = chunk_at(file, at);
        const bool begins = chunk.type == kFull || chunk.type == kFirst;
        if (chunk.type == 0 || begins == is_open) {
            return;
        }
        at += kChunkHead + chunk.data.size();
        record += chunk.data;
        is_open = chunk.type == kFirst || chunk.type == kMiddle;
        if (!is_open) {
            if (!take(record, at)) {
                return;
            }
            record.clear();
        }
    }
}

}  // namespace sluice::observers::wandb
