// The order of samples in an epoch: a keyed permutation of the index, exact and without a buffer.
#pragma once

#include <cstdint>

namespace sluice::data {

// Maps a position to an index: a bijection of [0, length) that depends only on (seed, epoch, length). It is a Feistel
// network over the next power of four. The network is applied until its result is below `length` (cycle walking; Black
// and Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Order {
public:
    Order(std::uint64_t length, std::uint64_t seed, std::uint64_t epoch, bool shuffle);
    [[nodiscard]] std::uint64_t operator[](std::uint64_t position) const;
    // The inverse: the position of an index below `length`.
    [[nodiscard]] std::uint64_t position_of(std::uint64_t index) const;

private:
    // Applies the network until the result is below `length`; `inverse` runs the rounds backwards.
    [[nodiscard]] std::uint64_t walk(std::uint64_t from, bool inverse) const;

    std::uint64_t length_;
    std::uint64_t seed_;
    std::uint64_t epoch_;
    bool shuffle_;
    std::uint32_t half_bits_;
};

}  // namespace sluice::data
