// Words of the run's random generator (sluice/random.h), many blocks at a time.
#pragma once

#include <cstdint>

#include "sluice/random.h"

namespace sluice::onednn {

// words[i] = word (first + i) % 4 of block (first + i) / 4 of `key`, for i in [0, count). first must be a multiple of
// 4, and `words` needs room for count rounded up to a multiple of kRandomWords.
inline constexpr std::int64_t kRandomWords = 32;
void random_words(const sluice_random_key& key, std::uint64_t first, std::int64_t count, std::uint32_t* words);

}  // namespace sluice::onednn
