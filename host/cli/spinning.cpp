#include "cli/spinning.hpp"

#include <unistd.h>

#include <cstdlib>

namespace sluice::cli {
namespace {

// Turns of libgomp's loop, of some 15 ns each: under 100 us, longer than the gaps between the layers of a step.
constexpr const char* kTurns = "5000";

}  // namespace

void bound_spinning(char** arguments) {
    if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) {
        return;
    }
    ::setenv("GOMP_SPINCOUNT", kTurns, 1);
    ::execv("/proc/self/exe", arguments);  // returns only where it failed: then the default stays
}

}  // namespace sluice::cli
