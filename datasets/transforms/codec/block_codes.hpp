// Huffman codes of JPEG blocks, as tables that tell how long they are: what is not decoded is passed over by these,
// several coefficients at a time.
#pragma once

#include <array>
#include <cstdint>

#include "codec/jpeg_markers.hpp"

namespace sluice::transforms {

// One code: how many bits it has, and what it stands for. Of no code: 0 bits.
struct Code {
    std::uint8_t bits = 0;
    std::uint8_t value = 0;
};

// Codes by the bits that come next.
class CodeTable {
public:
    static constexpr unsigned kBits = 12;  // that are looked up at once; longer codes are searched for

    explicit CodeTable(const HuffmanCodes& codes);
    CodeTable(const CodeTable&) = delete;
    CodeTable& operator=(const CodeTable&) = delete;

    [[nodiscard]] bool is_sound() const { return is_sound_; }
    [[nodiscard]] const HuffmanCodes& codes() const { return codes_; }
    // `next`: the bits that come, the first in the highest.
    [[nodiscard]] Code find(std::uint64_t next) const {
        const Code code = short_[next >> (64 - kBits)];
        return code.bits != 0 ? code : find_long(next);
    }
    [[nodiscard]] Code short_code(std::uint64_t bits) const { return short_[bits]; }

private:
    [[nodiscard]] Code find_long(std::uint64_t next) const;

    HuffmanCodes codes_;  // its values lie in values_
    std::array<std::uint8_t, 256> values_{};
    std::array<std::uint32_t, 17> end_{};   // behind the last code of so many bits, as a number of so many bits
    std::array<std::int32_t, 17> first_{};  // of values_, less the first code of so many bits
    std::array<Code, 1U << kBits> short_{};
    bool is_sound_ = true;
};

// What as many codes of coefficients as can be seen at once take together, with the bits of their values. In one
// number, since whoever waits for it reads nothing else.
class Stretch {
public:
    constexpr Stretch() = default;
    // bits: at most 31. ends: the block, behind its last coefficient that is not 0.
    constexpr Stretch(unsigned bits, unsigned count, bool ends) : all_(bits | count << 8U | (ends ? kEnds : 0U)) {}
    [[nodiscard]] constexpr unsigned bits() const { return all_ & 31U; }          // 0: no code is as short
    [[nodiscard]] constexpr unsigned count() const { return all_ >> 8U & 255U; }  // of coefficients
    [[nodiscard]] constexpr bool ends() const { return (all_ & kEnds) != 0; }

private:
    static constexpr std::uint32_t kEnds = 1U << 16U;
    std::uint32_t all_ = 0;
};

// Of all coefficients of a block but the first.
class BlockTable {
public:
    explicit BlockTable(const HuffmanCodes& codes);
    [[nodiscard]] const CodeTable& single() const { return single_; }
    [[nodiscard]] Stretch stretch(std::uint64_t next) const { return stretches_[next >> (64 - CodeTable::kBits)]; }
    // What that one code means; not of 0 bits.
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
