// The name of this program in commands that a message suggests.
#pragma once

#include <string>

namespace sluice::cli {

// Returns how a user starts this program from the working folder: `sluice` if it is on the PATH, else its file.
std::string program();

}  // namespace sluice::cli
