#include "codec/scan_cut.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "codec/block_codes.hpp"
#include "codec/touched.hpp"

namespace sluice::transforms {
namespace {

constexpr std::size_t kPadding = 32;  // most bytes that are read beyond the last byte
constexpr unsigned kBlock = 64;       // coefficients
constexpr unsigned kMostBits = 11;    // in a first coefficient

using TablePtr = std::shared_ptr<const BlockTable>;

// Caches tables, because most consecutive files have the same codes.
class Tables {
public:
    TablePtr of(const HuffmanCodes& codes) {
        for (const TablePtr& table : kept_) {
            if (table && table->single().codes() == codes) {
                return table;
            }
        }
        next_ = (next_ + 1) % kept_.size();
        return kept_[next_] = std::make_shared<const BlockTable>(codes);
    }

private:
    std::array<TablePtr, 8> kept_;
    std::size_t next_ = 0;
};

// Copies the data up to the next marker without the zeros that are stuffed after 0xFF.
void unstuff(std::span<const std::uint8_t> data, std::vector<std::uint8_t>& plain) {
    plain.resize(data.size() + kPadding);
    std::uint8_t* to = plain.data();
    const std::uint8_t* from = data.data();
    const std::uint8_t* const end = from + data.size();
    while (from != end) {
        const void* const found = std::memchr(from, 0xFF, static_cast<std::size_t>(end - from));
        const auto* const stop = found != nullptr ? static_cast<const std::uint8_t*>(found) : end;
        to = std::copy(from, stop, to);
        if (end - stop < 2 || stop[1] != 0) {
            break;
        }
        *to++ = 0xFF;
        from = stop + 2;
    }
    plain.resize(static_cast<std::size_t>(to - plain.data()));
    plain.insert(plain.end(), kPadding, 0);
}

// Reads the bits of the data. The first bit is the most significant one of next().
class BitReader {
public:
    static constexpr unsigned kSeen = 57;  // valid bits in next(), at least

    explicit BitReader(const std::vector<std::uint8_t>& plain)
        : data_(plain.data()), end_((plain.size() - kPadding) * 8) {}
    // The next kSeen bits; zeros after the end.
    [[nodiscard]] std::uint64_t next() const {
        std::uint64_t word = 0;
        std::memcpy(&word, data_ + at_ / 8, sizeof(word));
        if constexpr (std::endian::native == std::endian::little) {
            word = __builtin_bswap64(word);
        }
        return word << (at_ & 7U);
    }
    void skip(unsigned bits) { at_ += bits; }
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool is_past_the_end() const { return at_ > end_; }

private:
    const std::uint8_t* data_;
    std::size_t end_;
    std::size_t at_ = 0;
};

// Writes bits, with a zero byte after each 0xFF, as JPEG requires.
class BitWriter {
public:
    explicit BitWriter(std::vector<std::uint8_t>& to) : to_(to) {}
    // Writes the lowest `count` bits of `bits`, at most 32.
    void put(std::uint64_t bits, unsigned count) {
        held_ = held_ << count | (bits & ((std::uint64_t{1} << count) - 1));
        count_ += count;
        if (count_ >= 32) {
            count_ -= 32;
            put_word(static_cast<std::uint32_t>(held_ >> count_));
        }
    }
    // Copies `bits` bits from `from` and advances it.
    void copy(BitReader& from, std::size_t bits) {
        while (bits > 0) {
            const auto count = static_cast<unsigned>(std::min<std::size_t>(bits, 32));
            put(from.next() >> (64 - count), count);
            from.skip(count);
            bits -= count;
        }
    }
    // Fills up the last byte, because a marker begins at a byte.
    void finish() {
        put(0x7F, (8 - count_ % 8) % 8);
        for (; count_ > 0; count_ -= 8) {
            put_byte(static_cast<std::uint8_t>(held_ >> (count_ - 8)));
        }
        flush();
    }

private:
    void put_word(std::uint32_t word) {
        constexpr std::uint32_t kHighest = 0x80808080U;
        const bool has_full_byte = (word & kHighest & ((word & ~kHighest) + 0x01010101U)) != 0;
        if (!has_full_byte) {
            const std::array<std::uint8_t, 4> bytes{
                static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
                static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word)};
            std::ranges::copy(bytes, waiting_.begin() + static_cast<std::ptrdiff_t>(waits_));
            waits_ += bytes.size();
        } else {
            for (unsigned shift = 32; shift > 0; shift -= 8) {
                put_byte(static_cast<std::uint8_t>(word >> (shift - 8)));
            }
        }
        if (waits_ + kMostAtOnce > waiting_.size()) {
            flush();
        }
    }
    void put_byte(std::uint8_t byte) {
        waiting_[waits_++] = byte;
        if (byte == 0xFF) {
            waiting_[waits_++] = 0;
        }
    }
    void flush() {
        to_.insert(to_.end(), waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(waits_));
        waits_ = 0;
    }

    static constexpr std::size_t kMostAtOnce = 16;  // bytes of a word and the rest at the end, with stuffed zeros

    std::vector<std::uint8_t>& to_;
    std::uint64_t held_ = 0;
    unsigned count_ = 0;
    std::array<std::uint8_t, 512> waiting_;  // buffer before `to_`
    std::size_t waits_ = 0;
};

// The codes for first coefficients in the result: 0 to 11 bits of a difference, from the table that most files use
// (ITU-T T.81, K.3).
constexpr std::array<std::uint8_t, 16> kFirstCounts{0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
constexpr std::array<std::uint8_t, 12> kFirstBits{2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9};
constexpr std::array<std::uint16_t, 12> kFirstCodes{0, 2, 3, 4, 5, 6, 14, 30, 62, 126, 254, 510};

// Markers that define these codes, and a restart interval of one row.
std::vector<std::uint8_t> own_markers(std::int64_t units_in_row) {
    std::vector<std::uint8_t> markers;
    for (std::uint8_t place = 0; place < 4; ++place) {
        markers.insert(markers.end(), {0xFF, 0xC4, 0, 2 + 1 + 16 + 12, place});
        markers.insert(markers.end(), kFirstCounts.begin(), kFirstCounts.end());
        for (std::uint8_t value = 0; value < 12; ++value) {
            markers.push_back(value);
        }
    }
    markers.insert(markers.end(), {0xFF, 0xDD, 0, 4, static_cast<std::uint8_t>(units_in_row >> 8),
                                   static_cast<std::uint8_t>(units_in_row)});
    return markers;
}

void put_first(BitWriter& to, int difference) {
    const auto size = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(std::abs(difference))));
    to.put(kFirstCodes[size], kFirstBits[size]);
    to.put(static_cast<std::uint64_t>(difference < 0 ? difference - 1 : difference), size);
}

// The state of one component of the scan.
struct Coded {
    int blocks;
    TablePtr first;
    TablePtr others;
    int value = 0;    // first coefficient of the last block read
    int written = 0;  // first coefficient of the last block written
};

// The next codes in a block of which `done` coefficients are known. 0 bits if there is no valid code.
Stretch next_stretch(const BlockTable& table, std::uint64_t next, unsigned done) {
    const Stretch stretch = table.stretch(next);
    if (stretch.bits() != 0 && done + stretch.count() + (stretch.ends() ? 1 : 0) <= kBlock) [[likely]] {
        return stretch;
    }
    const Code code = table.single().find(next);  // near the end of the block, take codes one by one
    const Stretch one = BlockTable::meaning(code);
    return code.bits != 0 && done + one.count() <= kBlock ? one : Stretch();
}

// Skips the coefficients of a block after the first. False if their codes are invalid.
bool pass_block(BitReader& from, const BlockTable& table) {
    // The seen bits have room for this many stretches plus a code of 16 bits.
    constexpr int kAtOnce = 2;
    unsigned done = 1;
    while (!from.is_past_the_end()) {
        std::uint64_t next = from.next();
        for (int i = 0; i < kAtOnce; ++i) {
            const Stretch stretch = next_stretch(table, next, done);
            next <<= stretch.bits();
            from.skip(stretch.bits());
            done += stretch.count();
            if (stretch.ends() || done == kBlock) {
                return !from.is_past_the_end();
            }
            if (stretch.bits() == 0) [[unlikely]] {
                return false;
            }
        }
    }
    return false;
}

// Reads the first coefficient of a block. False if its code is invalid.
bool read_first(BitReader& from, Coded& component) {
    const std::uint64_t next = from.next();
    const Code code = component.first->single().find(next);
    const unsigned size = code.value;
    if (code.bits == 0 || size > kMostBits) {
        return false;
    }
    if (size > 0) {
        const auto bits = static_cast<int>(next << code.bits >> (64 - size));
        component.value += bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
    }
    from.skip(code.bits + size);
    return std::abs(component.value) < 1 << kMostBits;
}

// Reads the coded units of a picture in order; copies those of the window and skips the others.
class ScanCutter {
public:
    ScanCutter(const std::vector<std::uint8_t>& plain, std::vector<Coded> components)
        : from_(plain), components_(std::move(components)) {}

    bool pass() {
        for (Coded& component : components_) {
            for (int block = 0; block < component.blocks; ++block) {
                if (!read_first(from_, component) || !pass_block(from_, *component.others)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool copy(BitWriter& to) {
        for (Coded& component : components_) {
            for (int block = 0; block < component.blocks; ++block) {
                if (!read_first(from_, component)) {
                    return false;
                }
                put_first(to, component.value - component.written);
                component.written = component.value;
                BitReader begin = from_;
                if (!pass_block(from_, *component.others)) {
                    return false;
                }
                to.copy(begin, from_.at() - begin.at());
            }
        }
        return true;
    }

    void begin_row() {
        for (Coded& component : components_) {
            component.written = 0;
        }
    }

private:
    BitReader from_;
    std::vector<Coded> components_;
};

std::optional<std::vector<Coded>> components_of(const JpegMarkers& file, Tables& tables) {
    const std::optional<ScanCoding> coding = read_coding(file);
    if (!coding) {
        return std::nullopt;
    }
    std::vector<Coded> components;
    for (const ScanCoding::Component& component : coding->components) {
        components.push_back({component.blocks, tables.of(component.dc), tables.of(component.ac)});
        if (!components.back().first->single().is_sound() || !components.back().others->single().is_sound()) {
            return std::nullopt;
        }
    }
    return components;
}

}  // namespace

std::optional<CutOut> cut_out_of_scan(std::span<const std::uint8_t> bytes, const Window& window) {
    const std::optional<JpegMarkers> file = read_markers(bytes);
    if (!file || file->restart_interval != 0) {
        return std::nullopt;
    }
    const Extent unit = file->unit;
    const Extent units{(file->extent.height + unit.height - 1) / unit.height,
                       (file->extent.width + unit.width - 1) / unit.width};
    const Touched rows = touched(window.top, window.extent.height, unit.height, units.height);
    const Touched columns = touched(window.left, window.extent.width, unit.width, units.width);
    // The copied part is decoded afterwards, so cutting pays only if it is the smaller part of what is read.
    if (2 * (rows.end - rows.first) * (columns.end - columns.first) > rows.end * units.width) {
        return std::nullopt;
    }
    thread_local Tables tables;
    thread_local std::vector<std::uint8_t> plain;
    std::optional<std::vector<Coded>> components = components_of(*file, tables);
    if (!components) {
        return std::nullopt;
    }
    unstuff(bytes.subspan(file->data), plain);
    const Extent smaller{std::min(file->extent.height, rows.end * unit.height) - rows.first * unit.height,
                         std::min(file->extent.width, columns.end * unit.width) - columns.first * unit.width};
    CutOut cut{
        .file = head_for(*file, smaller, own_markers(columns.end - columns.first)),
        .window = {window.top - rows.first * unit.height, window.left - columns.first * unit.width, window.extent}};
    ScanCutter cutter(plain, std::move(*components));
    for (std::int64_t row = 0; row < rows.end; ++row) {
        const bool is_copied = row >= rows.first;
        if (row > rows.first) {
            cut.file.insert(cut.file.end(),
                            {0xFF, static_cast<std::uint8_t>(kFirstRestart + (row - rows.first - 1) % 8)});
        }
        BitWriter to(cut.file);
        cutter.begin_row();
        // In the last row, units after the window need not be read.
        const std::int64_t end = row + 1 == rows.end ? columns.end : units.width;
        for (std::int64_t column = 0; column < end; ++column) {
            const bool is_inside = is_copied && column >= columns.first && column < columns.end;
            if (!(is_inside ? cutter.copy(to) : cutter.pass())) {
                return std::nullopt;
            }
        }
        to.finish();
    }
    cut.file.insert(cut.file.end(), {0xFF, kEndOfImage});
    return cut;
}

}  // namespace sluice::transforms
