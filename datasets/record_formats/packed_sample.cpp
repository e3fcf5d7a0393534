#include "packed_sample.hpp"

#include <utility>

#include "hash.hpp"
#include "tiles.hpp"

namespace sluice::records {

namespace {

std::uint64_t stored_bytes(const FieldLayout& field, const sluice_tensor_spec& spec) {
    return aligned(field.is_tiled() ? TileGrid(spec, field.tile).stored_bytes() : byte_count(spec));
}

}  // namespace

PackedSample pack_sample(std::string name, const std::vector<FieldLayout>& fields, const std::vector<FieldData>& data) {
    PackedSample packed{.name = std::move(name), .bytes = {}, .words = {}};
    std::uint64_t bytes_of_all = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        bytes_of_all += stored_bytes(fields[i], data[i].spec);
    }
    packed.bytes.reserve(static_cast<std::size_t>(bytes_of_all));  // allocates exactly the bytes that are needed
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const sluice_tensor_spec& spec = data[i].spec;
        if (fields[i].is_tiled()) {
            packed.words.push_back(0);
            TileGrid(spec, fields[i].tile).pack(data[i].bytes, packed.bytes);
        } else {
            const ByteSpan bytes(data[i].bytes, static_cast<std::size_t>(byte_count(spec)));
            packed.words.push_back(hash_of(bytes));
            append(packed.bytes, bytes);
        }
        for (std::int32_t d = 0; d < fields[i].spec.rank; ++d) {
            if (fields[i].spec.shape[d] < 0) {
                packed.words.push_back(static_cast<std::uint64_t>(spec.shape[d]));
            }
        }
        packed.bytes.resize(static_cast<std::size_t>(aligned(packed.bytes.size())));
    }
    return packed;
}

}  // namespace sluice::records
