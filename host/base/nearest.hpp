// The nearest right word for a misspelt one. A word is near if its edit distance is at most a third of its length.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice {

bool is_near(std::string_view word, std::string_view candidate);

// "; did you mean 'prefetch'?" if one of the candidates is near, "; one of: a, b, c" if none is and there are few, else
// empty.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace sluice
