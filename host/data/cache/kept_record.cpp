#include "data/cache/kept_record.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include SLUICE_XXHASH

namespace sluice::data {
namespace {

constexpr std::uint64_t kMagic = 0x31657470'654b6c53;  // "SlKepte1", least significant byte first
static_assert(std::is_trivially_copyable_v<sluice_tensor_spec>);

std::size_t padded(std::size_t bytes) { return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment; }

std::uint64_t hash_of_header(const RecordHeader& header) { return XXH3_64bits(&header, offsetof(RecordHeader, hash)); }

struct FreesState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};
using RestHash = std::unique_ptr<XXH3_state_t, FreesState>;

}  // namespace

void make_record(std::uint64_t index, const std::string& name, std::span<const TensorView> fields, KeptRecord& record) {
    static constexpr std::array<std::uint8_t, kRecordAlignment> kPadding{};
    const std::size_t specs = fields.size() * sizeof(sluice_tensor_spec);
    record.head.assign(sizeof(RecordHeader) + padded(specs + name.size()), 0);
    std::uint8_t* const to = record.head.data() + sizeof(RecordHeader);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::memcpy(to + i * sizeof(sluice_tensor_spec), &fields[i].spec, sizeof(sluice_tensor_spec));
    }
    std::ranges::copy(name, to + specs);
    record.parts.assign(1, record.head);
    for (const TensorView& field : fields) {
        record.parts.emplace_back(field.bytes);
        record.parts.push_back(std::span(kPadding).first(padded(field.bytes.size()) - field.bytes.size()));
    }
    const RestHash rest(XXH3_createState());
    if (rest == nullptr) {
        throw std::bad_alloc();
    }
    XXH3_64bits_reset(rest.get());
    XXH3_64bits_update(rest.get(), to, record.head.size() - sizeof(RecordHeader));
    record.bytes = record.head.size();
    for (const std::span<const std::uint8_t> part : std::span(record.parts).subspan(1)) {
        XXH3_64bits_update(rest.get(), part.data(), part.size());
        record.bytes += part.size();
    }
    RecordHeader header{.magic = kMagic,
                        .index = index,
                        .bytes = record.bytes,
                        .fields = static_cast<std::uint32_t>(fields.size()),
                        .name_bytes = static_cast<std::uint32_t>(name.size()),
                        .rest_hash = XXH3_64bits_digest(rest.get()),
                        .is_damaged = 0,
                        .unused = 0,
                        .hash = 0};
    header.hash = hash_of_header(header);
    std::memcpy(record.head.data(), &header, sizeof(header));
}

bool is_whole(const RecordHeader& header) {
    return header.magic == kMagic && header.hash == hash_of_header(header) && header.bytes >= sizeof(header);
}

void mark_damaged(RecordHeader& header) {
    header.is_damaged = 1;
    header.hash = hash_of_header(header);
}

bool read_record(std::uint64_t index, std::span<const sluice_tensor_spec> fields, CachedSample& sample) {
    const std::span<const std::uint8_t> record = sample.bytes;
    RecordHeader header{};
    if (record.size() < sizeof(header)) {
        return false;
    }
    std::memcpy(&header, record.data(), sizeof(header));
    const std::span<const std::uint8_t> rest = record.subspan(sizeof(header));
    if (!is_whole(header) || header.index != index || header.bytes != record.size() || header.fields != fields.size() ||
        header.rest_hash != XXH3_64bits(rest.data(), rest.size())) {
        return false;
    }
    const std::size_t specs = header.fields * sizeof(sluice_tensor_spec);
    if (specs + header.name_bytes > rest.size()) {
        return false;
    }
    sample.name.assign(reinterpret_cast<const char*>(rest.data()) + specs, header.name_bytes);
    std::size_t at = padded(specs + header.name_bytes);
    sample.fields.resize(header.fields);
    for (std::size_t i = 0; i < header.fields; ++i) {
        sluice_tensor_spec spec{};
        std::memcpy(&spec, rest.data() + i * sizeof(spec), sizeof(spec));
        if (!is_instance(spec, fields[i]) || at > rest.size() || byte_count(spec) > rest.size() - at) {
            return false;
        }
        sample.fields[i] = {spec, rest.subspan(at, byte_count(spec))};
        at += padded(byte_count(spec));
    }
    return true;
}

}  // namespace sluice::data
