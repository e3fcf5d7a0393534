// Sleeps of test plugins and preloaded libraries, which note how long they really took.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace sluice::test {

// Sleeps, and appends "STAGE SECONDS" to the file that SLUICE_TEST_DELAYS names. On a busy machine a sleep takes longer
// than asked for.
inline void sleep_and_note(const char* stage, std::chrono::duration<double> time) {
    static const char* const name = std::getenv("SLUICE_TEST_DELAYS");
    static const int file = name == nullptr ? -1 : ::open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (time.count() <= 0.0) {
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(time);
    const std::chrono::duration<double> slept = std::chrono::steady_clock::now() - begin;
    char line[64];
    const int length = std::snprintf(line, sizeof(line), "%s %.9f\n", stage, slept.count());
    if (file >= 0 && ::write(file, line, static_cast<std::size_t>(length)) != length) {
        std::abort();  // the test would compare with too short a time
    }
}

}  // namespace sluice::test
