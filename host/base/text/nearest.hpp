// Suggestions for misspelt words. Two words are near if their edit distance is at most a third of the longer one's
// length, or 1.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

bool is_near(std::string_view word, std::string_view candidate);

// Returns "; did you mean 'prefetch'?" with the nearest candidate; nothing if none is near.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> candidates);
// The same. If no candidate is near, returns "; one of: a, b, c" for few candidates, and else an empty text.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace sluice
