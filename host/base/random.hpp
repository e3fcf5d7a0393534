// Keys of the random generator in sluice/random.h. The stream of a key is the hash of a name.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/random.h"

namespace sluice {

// FNV-1a, 64 bits. It selects random streams, so it must be the same across builds and machines.
constexpr std::uint64_t stable_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

// Returns 64 random bits: block `block` of `key`.
inline std::uint64_t random_bits(const sluice_random_key& key, std::uint64_t block) {
    std::uint32_t words[4];
    sluice_philox(&key, block, words);
    return std::uint64_t{words[0]} << 32 | words[1];
}

}  // namespace sluice
