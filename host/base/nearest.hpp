// The nearest right word for a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice {

// "; did you mean 'prefetch'?" where one of the candidates is close (edit distance at most a third of its length),
// "; one of: a, b, c" where none is and there are few, else empty.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace sluice
