#include "codec/block_codes.hpp"

#include <algorithm>
#include <utility>

namespace sluice::transforms {

CodeTable::CodeTable(const HuffmanCodes& codes) : codes_(codes) {
    std::ranges::copy(codes.values, values_.begin());
    codes_.values = std::span(values_).first(codes.values.size());
    std::uint32_t code = 0;
    std::size_t value = 0;
    for (unsigned bits = 1; bits <= 16; ++bits) {
        const std::uint32_t count = codes.counts[bits - 1];
        first_[bits] = static_cast<std::int32_t>(value) - static_cast<std::int32_t>(code);
        is_sound_ = is_sound_ && code + count <= 1U << bits;
        for (std::uint32_t i = 0; i < count && is_sound_ && bits <= kBits; ++i) {
            const Code found{static_cast<std::uint8_t>(bits), values_[value + i]};
            std::fill_n(short_.begin() + ((code + i) << (kBits - bits)), 1U << (kBits - bits), found);
        }
        code += count;
        value += count;
        end_[bits] = code;
        code <<= 1U;
    }
}

Code CodeTable::find_long(std::uint64_t next) const {
    for (unsigned bits = kBits + 1; bits <= 16; ++bits) {
        const auto code = static_cast<std::uint32_t>(next >> (64 - bits));
        if (code < end_[bits]) {
            const std::int32_t place = static_cast<std::int32_t>(code) + first_[bits];
            const bool is_there = place >= 0 && std::cmp_less(place, codes_.values.size());
            return is_there ? Code{static_cast<std::uint8_t>(bits), values_[static_cast<std::size_t>(place)]} : Code{};
        }
    }
    return {};
}

BlockTable::BlockTable(const HuffmanCodes& codes) : single_(codes) {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << CodeTable::kBits) - 1;
    for (std::uint64_t seen = 0; seen <= kMask; ++seen) {
        const Code first = single_.short_code(seen);
        if (first.bits == 0) {
            continue;
        }
        Stretch all = meaning(first);
        // Add further codes that are completely within the seen bits. The bits of their values need not be.
        while (!all.ends() && all.bits() < CodeTable::kBits) {
            const Code next = single_.short_code(seen << all.bits() & kMask);
            if (next.bits == 0 || all.bits() + next.bits > CodeTable::kBits) {
                break;
            }
            const Stretch more = meaning(next);
            all = {all.bits() + more.bits(), all.count() + more.count(), more.ends()};
        }
        stretches_[seen] = all;
    }
}

}  // namespace sluice::transforms
