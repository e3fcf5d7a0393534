// The threads of one replica: an OpenMP team, the one that oneDNN uses too, offered to kernels as sluice_threads.
#pragma once

#include "sluice/host.h"

namespace sluice::run {

class Threads {
public:
    // Sets the size of the calling thread's OpenMP team.
    explicit Threads(int count);
    [[nodiscard]] const sluice_threads* api() const { return &api_; }

private:
    sluice_threads api_{};
};

}  // namespace sluice::run
