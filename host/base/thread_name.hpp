// Names of the host's threads, which `ps -L`, debuggers and the sampler of usage.csv show.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace sluice {

// All names of the host's threads begin with it. Threads without a name have that of the thread that started them; so
// those of OpenMP have the name of the process or of a replica.
constexpr std::string_view kThreadPrefix = "sl-";

// Names the calling thread "sl-" and `name`. The kernel keeps 15 bytes.
inline void name_thread(std::string_view name) {
    std::array<char, 16> text{};
    char* const end = std::copy_n(kThreadPrefix.data(), kThreadPrefix.size(), text.data());
    std::copy_n(name.data(), std::min(name.size(), text.size() - 1 - kThreadPrefix.size()), end);
    ::pthread_setname_np(::pthread_self(), text.data());
}

}  // namespace sluice
