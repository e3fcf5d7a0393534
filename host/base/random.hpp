// Keys of the one random generator (sluice/random.h): who draws is the hash of a name.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/random.h"

namespace sluice {

// FNV-1a, 64 bits: stable across builds and machines, because it decides random streams.
constexpr std::uint64_t stable_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

// 64 random bits: block `block` of the key.
inline std::uint64_t random_bits(const sluice_random_key& key, std::uint64_t block) {
    std::uint32_t words[4];
    sluice_philox(&key, block, words);
    return std::uint64_t{words[0]} << 32 | words[1];
}

}  // namespace sluice
