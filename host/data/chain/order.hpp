// The order of samples in an epoch: a keyed permutation of the index, exact and without a buffer.
#pragma once

#include <cstdint>

namespace sluice::data {

// Position -> index, a bijection of [0, length) that depends only on (seed, epoch, length). A Feistel network over the
// next power of four, walked until it falls inside (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Order {
public:
    Order(std::uint64_t length, std::uint64_t seed, std::uint64_t epoch, bool shuffle);
    [[nodiscard]] std::uint64_t operator[](std::uint64_t position) const;
    // The other way: where an index below `length` stands.
    [[nodiscard]] std::uint64_t position_of(std::uint64_t index) const;

private:
    // Of the network; `inverse`: its rounds in the other direction.
    [[nodiscard]] std::uint64_t walk(std::uint64_t from, bool inverse) const;

    std::uint64_t length_;
    std::uint64_t seed_;
    std::uint64_t epoch_;
    bool shuffle_;
    std::uint32_t half_bits_;
};

}  // namespace sluice::data
