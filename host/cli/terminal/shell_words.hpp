// Commands that a message suggests, written so that a shell reads them.
#pragma once

#include <string>

namespace sluice::cli {

// Returns how a user starts this program from the working folder: `sluice` if it is on the PATH, else its file.
std::string program();

// Returns the word as a POSIX shell reads it: unchanged if that is safe, else in single quotes.
std::string shell_quoted(const std::string& word);

}  // namespace sluice::cli
