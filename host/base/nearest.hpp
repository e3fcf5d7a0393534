// Suggestions for misspelt words. Two words are near if their edit distance is at most a third of the longer one's
// length, or 1.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice {

bool is_near(std::string_view word, std::string_view candidate);

// Returns "; did you mean 'prefetch'?" if a candidate is near, "; one of: a, b, c" if there are few candidates, else
// empty.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace sluice
