// Words of commands that a message suggests.
#pragma once

#include <string>

namespace sluice {

// Returns the word as a POSIX shell reads it: unchanged if that is safe, else in single quotes.
std::string shell_quoted(const std::string& word);

}  // namespace sluice
