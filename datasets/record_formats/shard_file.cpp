#include "shard_file.hpp"

#include <algorithm>
#include <array>

#include "damage.hpp"
#include "hash.hpp"

namespace sluice::records {
namespace {

constexpr std::size_t kSum = sizeof(std::uint64_t);
constexpr std::uint64_t kMostFields = 1000;
constexpr std::int64_t kMostExtent = std::int64_t{1} << 40;
constexpr std::int64_t kMostTile = std::int64_t{1} << 16;

bool begins_with(ByteSpan bytes, const char* magic) {
    return bytes.size() >= 8 && std::memcmp(bytes.data(), magic, 8) == 0;
}

// Parses the index.
class Reader {
public:
    Reader(ByteSpan bytes, const InputFile& file) : bytes_(bytes), file_(file) {}
    template <class Number>
    Number number() {
        return load<Number>(take(sizeof(Number)).data());
    }
    std::string text(std::uint64_t bytes) {
        const ByteSpan part = take(bytes);
        at_ = (at_ + 7) / 8 * 8;
        return {part.begin(), part.end()};
    }
    [[nodiscard]] std::size_t at() const { return at_; }

private:
    ByteSpan take(std::uint64_t bytes) {
        if (at_ > bytes_.size() || bytes > bytes_.size() - at_) {
            file_.damaged("its index is invalid: it ends too early");
        }
        at_ += static_cast<std::size_t>(bytes);
        return bytes_.subspan(at_ - static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes));
    }
    ByteSpan bytes_;
    const InputFile& file_;
    std::size_t at_ = 0;
};

FieldLayout read_field(Reader& from, const InputFile& file) {
    FieldLayout field;
    field.role = static_cast<std::int32_t>(from.number<std::int64_t>());
    field.spec.dtype = from.number<sluice_dtype>();
    field.spec.rank = from.number<std::int32_t>();
    bool is_sound = field.spec.rank >= 0 && field.spec.rank <= SLUICE_MAX_RANK && field.spec.dtype.bits % 8 == 0;
    for (std::int64_t& extent : field.spec.shape) {
        extent = from.number<std::int64_t>();
        is_sound = is_sound && extent >= -1 && extent < kMostExtent;
    }
    field.tile = {from.number<std::int64_t>(), from.number<std::int64_t>()};
    field.name = from.text(from.number<std::uint64_t>());
    const bool is_picture = field.spec.dtype.bits > 0 && (field.spec.rank == 2 || field.spec.rank == 3);
    const bool is_grid = field.tile.height <= kMostTile && field.tile.width >= 1 && field.tile.width <= kMostTile;
    if (!is_sound || (field.is_tiled() && (!is_picture || !is_grid))) {
        file.damaged("its index is invalid at field '" + field.name + "'");
    }
    return field;
}

}  // namespace

bool ShardFile::is_one(ByteSpan head) { return begins_with(head, kHeadMagic); }

ShardFile::ShardFile(const std::filesystem::path& path, const sluice_host* host) : file_(path, host) {
    if (file_.size() == 0) {
        file_.damaged("0 bytes; a file of records is needed");
    }
    read_head();
    read_tail();
    parse_index();
    check_entries();
}

void ShardFile::read_head() const {
    std::array<std::uint8_t, kHeadBytes> head{};
    const std::uint64_t found = file_.read_some(head.data(), head.size(), 0);
    if (!is_one(ByteSpan(head).first(static_cast<std::size_t>(found)))) {
        file_.damaged("not a file of records" + file_.unlike());
    }
    const auto version = load<std::uint32_t>(&head[8]);
    if (version != kVersion) {
        file_.damaged("version " + std::to_string(version) + " of the format; this program reads version " +
                      std::to_string(kVersion));
    }
    if (found < kHeadBytes ||
        hash_of(ByteSpan(head).first(kHeadBytes - kSum)) != load<std::uint64_t>(&head[kHeadBytes - kSum])) {
        file_.damaged("its first 64 bytes do not fit their checksum");
    }
}

void ShardFile::read_tail() {
    std::array<std::uint8_t, kTailBytes> tail{};
    if (file_.size() >= kHeadBytes + kTailBytes) {
        file_.read(tail.data(), tail.size(), file_.size() - kTailBytes);
    }
    if (!begins_with(tail, kTailMagic)) {
        file_.damaged("the file is torn: of its " + std::to_string(file_.size()) +
                      " bytes the last 64 are not the tail that ends a whole file; prepare it again");
    }
    if (hash_of(ByteSpan(tail).first(kTailBytes - kSum)) != load<std::uint64_t>(&tail[kTailBytes - kSum])) {
        file_.damaged("its tail, from byte " + std::to_string(file_.size() - kTailBytes) +
                      " on, does not fit its checksum");
    }
    const auto number = [&](std::size_t i) { return load<std::uint64_t>(&tail[8 * i]); };
    samples_end_ = number(1);
    if (number(4) != number(1) + number(2) || number(4) + number(5) + kTailBytes != file_.size()) {
        file_.damaged("the file is torn: it has " + std::to_string(file_.size()) + " bytes, but its tail gives " +
                      std::to_string(number(4) + number(5) + kTailBytes));
    }
    index_.resize(static_cast<std::size_t>(number(2)));
    file_.read(index_.data(), index_.size(), number(1));
    manifest_.resize(static_cast<std::size_t>(number(5)));
    file_.read(reinterpret_cast<std::uint8_t*>(manifest_.data()), manifest_.size(), number(4));
    if (hash_of(index_) != number(3)) {
        file_.damaged("its index, " + std::to_string(index_.size()) + " bytes from byte " + std::to_string(number(1)) +
                      " on, does not fit its checksum");
    }
    if (hash_of(bytes_of(manifest_)) != number(6)) {
        file_.damaged("its manifest, " + std::to_string(manifest_.size()) + " bytes from byte " +
                      std::to_string(number(4)) + " on, does not fit its checksum");
    }
}

void ShardFile::parse_index() {
    Reader from(index_, file_);
    samples_ = from.number<std::uint64_t>();
    const auto fields = from.number<std::uint64_t>();
    if (fields > kMostFields) {
        file_.damaged("its index is invalid: " + std::to_string(fields) + " fields");
    }
    for (std::uint64_t i = 0; i < fields; ++i) {
        fields_.push_back(read_field(from, file_));
    }
    entry_ = EntryLayout(fields_);
    entries_ = from.at();
    if (entries_ > index_.size() || samples_ > (index_.size() - entries_) / (entry_.words * 8)) {
        file_.damaged("its index is invalid: " + std::to_string(samples_) + " samples");
    }
    names_ = entries_ + static_cast<std::size_t>(samples_) * entry_.words * 8;
}

// Checks all offsets and extents, so that later reads stay within the samples even if the index was forged.
void ShardFile::check_entries() const {
    for (std::uint64_t i = 0; i < samples_; ++i) {
        const std::uint64_t name_end = word(i, EntryLayout::kName) + word(i, EntryLayout::kNameBytes);
        bool is_sound = name_end <= index_.size() - names_ && word(i, EntryLayout::kName) <= name_end;
        for (std::size_t f = 0; is_sound && f < fields_.size(); ++f) {
            const sluice_tensor_spec of_field = spec(i, f);
            std::uint64_t room = file_.size();
            for (std::int32_t d = 0; d < of_field.rank; ++d) {
                is_sound = is_sound && of_field.shape[d] >= 0;
                room /= is_sound && of_field.shape[d] > 0 ? static_cast<std::uint64_t>(of_field.shape[d]) : 1;
            }
            is_sound = is_sound && room > 0;
        }
        if (!is_sound || word(i, EntryLayout::kOffset) > samples_end_ ||
            (!fields_.empty() && offset_of(i, fields_.size()) > samples_end_)) {
            file_.damaged("its index is invalid at sample " + std::to_string(i));
        }
    }
}

std::uint64_t ShardFile::word(std::uint64_t sample, std::size_t number) const {
    return load<std::uint64_t>(index_.data() + entries_ +
                               (static_cast<std::size_t>(sample) * entry_.words + number) * 8);
}

std::string_view ShardFile::name(std::uint64_t sample) const {
    return {reinterpret_cast<const char*>(index_.data()) + names_ + word(sample, EntryLayout::kName),
            static_cast<std::size_t>(word(sample, EntryLayout::kNameBytes))};
}

sluice_tensor_spec ShardFile::spec(std::uint64_t sample, std::size_t field) const {
    sluice_tensor_spec spec = fields_[field].spec;
    std::size_t next = entry_.first_word[field] + 1;
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        if (spec.shape[i] < 0) {
            spec.shape[i] = static_cast<std::int64_t>(word(sample, next++));
        }
    }
    return spec;
}

std::uint64_t ShardFile::stored_bytes(const FieldLayout& field, const sluice_tensor_spec& spec) const {
    return field.is_tiled() ? TileGrid(spec, field.tile).stored_bytes() : byte_count(spec);
}

// The offset of a field in the file; for field number fields().size(), the end of the sample.
std::uint64_t ShardFile::offset_of(std::uint64_t sample, std::size_t field) const {
    std::uint64_t offset = word(sample, EntryLayout::kOffset);
    for (std::size_t i = 0; i < field; ++i) {
        offset += aligned(stored_bytes(fields_[i], spec(sample, i)));
    }
    return offset;
}

void ShardFile::read(std::uint64_t sample, std::size_t field, std::uint8_t* to, Bytes& scratch) const {
    const sluice_tensor_spec whole = spec(sample, field);
    if (fields_[field].is_tiled()) {
        read(sample, field, {0, 0, whole.shape[0], whole.shape[1]}, to, scratch);
        return;
    }
    const std::uint64_t offset = offset_of(sample, field);
    const std::uint64_t bytes = byte_count(whole);
    file_.read(to, bytes, offset);
    const std::uint64_t found = word(sample, entry_.first_word[field]);
    if (const std::uint64_t right = hash_of({to, static_cast<std::size_t>(bytes)}); found != right) {
        throw Damage(path().string() + ": field '" + fields_[field].name + "' of sample " + std::to_string(sample) +
                     ", " + std::to_string(bytes) + " bytes from byte " + std::to_string(offset) +
                     " on, does not fit its checksum (the index says " + hexadecimal(found) + ", its bytes give " +
                     hexadecimal(right) + ")");
    }
}

void ShardFile::read(std::uint64_t sample, std::size_t field, const Area& area, std::uint8_t* to,
                     Bytes& scratch) const {
    try {
        TileGrid(spec(sample, field), fields_[field].tile).read(file_, offset_of(sample, field), area, to, scratch);
    } catch (const Damage& damage) {
        throw Damage(std::string(damage.what()) + ", in field '" + fields_[field].name + "' of sample " +
                     std::to_string(sample));
    }
}

}  // namespace sluice::records
