// Tables of the lengths of JPEG's Huffman codes. They skip blocks that are not decoded, several coefficients at a time.
#pragma once

#include <array>
#include <cstdint>

#include "codec/jpeg_markers.hpp"

namespace sluice::transforms {

// A code: its number of bits, and the value that it stands for. 0 bits: not a code.
struct Code {
    std::uint8_t bits = 0;
    std::uint8_t value = 0;
};

// Finds the code at the start of a bit string.
class CodeTable {
public:
    static constexpr unsigned kBits = 12;  // codes up to this length are looked up in a table, longer ones searched

    explicit CodeTable(const HuffmanCodes& codes);
    CodeTable(const CodeTable&) = delete;
    CodeTable& operator=(const CodeTable&) = delete;

    [[nodiscard]] bool is_sound() const { return is_sound_; }
    [[nodiscard]] const HuffmanCodes& codes() const { return codes_; }
    // `next`: the next bits; the first is the most significant.
    [[nodiscard]] Code find(std::uint64_t next) const {
        const Code code = short_[next >> (64 - kBits)];
        return code.bits != 0 ? code : find_long(next);
    }
    [[nodiscard]] Code short_code(std::uint64_t bits) const { return short_[bits]; }

private:
    [[nodiscard]] Code find_long(std::uint64_t next) const;

    HuffmanCodes codes_;  // its values lie in values_
    std::array<std::uint8_t, 256> values_{};
    std::array<std::uint32_t, 17> end_{};   // [bits]: one past the last code of this length
    std::array<std::int32_t, 17> first_{};  // [bits]: add to a code of this length to get its index in values_
    std::array<Code, 1U << kBits> short_{};
    bool is_sound_ = true;
};

// The total length of the codes of several coefficients, with the bits of their values. It is packed into one number,
// because the next lookup waits for it.
class Stretch {
public:
    constexpr Stretch() = default;
    // bits: at most 31. ends: true if the block ends after its last coefficient that is not 0.
    constexpr Stretch(unsigned bits, unsigned count, bool ends) : all_(bits | count << 8U | (ends ? kEnds : 0U)) {}
    [[nodiscard]] constexpr unsigned bits() const { return all_ & 31U; }          // 0: no code is short enough
    [[nodiscard]] constexpr unsigned count() const { return all_ >> 8U & 255U; }  // of coefficients
    [[nodiscard]] constexpr bool ends() const { return (all_ & kEnds) != 0; }

private:
    static constexpr std::uint32_t kEnds = 1U << 16U;
    std::uint32_t all_ = 0;
};

// Code lengths of all coefficients of a block but the first.
class BlockTable {
public:
    explicit BlockTable(const HuffmanCodes& codes);
    [[nodiscard]] const CodeTable& single() const { return single_; }
    [[nodiscard]] Stretch stretch(std::uint64_t next) const { return stretches_[next >> (64 - CodeTable::kBits)]; }
    // The stretch of a single code. The code must have at least 1 bit.
    [[nodiscard]] static Stretch meaning(Code code) {
        const unsigned run = code.value >> 4U;
        const unsigned size = code.value & 15U;
        const bool ends = size == 0 && run != 15;
        return {code.bits + size, ends ? 0 : run + 1, ends};
    }

private:
    CodeTable single_;
    std::array<Stretch, 1U << CodeTable::kBits> stretches_{};
};

}  // namespace sluice::transforms
