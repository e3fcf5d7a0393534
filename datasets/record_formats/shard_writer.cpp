#include "shard_writer.hpp"

#include <utility>

#include "hash.hpp"

namespace sluice::records {
namespace {

Bytes head() {
    Bytes bytes;
    append(bytes, bytes_of({kHeadMagic, 8}));
    append(bytes, kVersion);
    append(bytes, static_cast<std::uint32_t>(kAlignment));
    bytes.resize(kHeadBytes - sizeof(std::uint64_t));
    append(bytes, hash_of(bytes));
    return bytes;
}

}  // namespace

ShardWriter::ShardWriter(ByteSink& to, std::vector<FieldLayout> fields) : to_(to), fields_(std::move(fields)) {
    write(head());
}

void ShardWriter::write(ByteSpan bytes) {
    to_.write(bytes);
    written_ += bytes.size();
}

void ShardWriter::add(const PackedSample& sample) {
    append(entries_, written_);
    append(entries_, static_cast<std::uint64_t>(names_.size()));
    append(entries_, static_cast<std::uint64_t>(sample.name.size()));
    for (const std::uint64_t word : sample.words) {
        append(entries_, word);
    }
    names_ += sample.name;
    ++samples_;
    write(sample.bytes);
}

Bytes ShardWriter::index() const {
    Bytes bytes;
    append(bytes, samples_);
    append(bytes, static_cast<std::uint64_t>(fields_.size()));
    for (const FieldLayout& field : fields_) {
        append(bytes, static_cast<std::int64_t>(field.role));
        append(bytes, field.spec.dtype);
        append(bytes, field.spec.rank);
        for (const std::int64_t extent : field.spec.shape) {
            append(bytes, extent);
        }
        append(bytes, field.tile.height);
        append(bytes, field.tile.width);
        append(bytes, static_cast<std::uint64_t>(field.name.size()));
        append(bytes, bytes_of(field.name));
        bytes.resize((bytes.size() + 7) / 8 * 8);
    }
    append(bytes, entries_);
    append(bytes, bytes_of(names_));
    return bytes;
}

void ShardWriter::finish(std::string_view manifest) {
    const Bytes index_bytes = index();
    Bytes tail;
    append(tail, bytes_of({kTailMagic, 8}));
    append(tail, written_);
    append(tail, static_cast<std::uint64_t>(index_bytes.size()));
    append(tail, hash_of(index_bytes));
    append(tail, written_ + index_bytes.size());
    append(tail, static_cast<std::uint64_t>(manifest.size()));
    append(tail, hash_of(bytes_of(manifest)));
    append(tail, hash_of(tail));
    write(index_bytes);
    write(bytes_of(manifest));
    write(tail);
}

}  // namespace sluice::records
