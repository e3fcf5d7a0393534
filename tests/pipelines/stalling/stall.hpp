// A function that never returns.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sluice::test {

// Writes the name of its thread to the file stalled.txt before it hangs.
[[noreturn]] inline void stall() {
    std::array<char, 16> name{};
    ::pthread_getname_np(::pthread_self(), name.data(), name.size());
    std::ofstream("stalled.txt") << name.data();
    while (true) {
        ::pause();
    }
}

}  // namespace sluice::test
