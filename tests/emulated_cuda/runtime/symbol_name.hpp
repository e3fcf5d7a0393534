// The name of a function of this library by its address, for messages.
#pragma once

#include <string>

namespace emulated {

// From the library's table of symbols, where it was not stripped; else the address.
std::string symbol_name(const void* address);

}  // namespace emulated
