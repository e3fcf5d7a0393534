// What never comes back.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sluice::test {

// Leaves the name of its thread in the file stalled.txt.
[[noreturn]] inline void stall() {
    std::array<char, 16> name{};
    ::pthread_getname_np(::pthread_self(), name.data(), name.size());
    std::ofstream("stalled.txt") << name.data();
    while (true) {
        ::pause();
    }
}

}  // namespace sluice::test
