// Finds the name of a function by its address, for messages.
#pragma once

#include <string>

namespace emulated {

// Returns the name from the symbol table of the function's library, or the address if the table was stripped.
std::string symbol_name(const void* address);

}  // namespace emulated
