// How long threads of the OpenMP runtime spin before they sleep.
#pragma once

namespace sluice::cli {

// libgomp spins for milliseconds by default: where cores are shared, a thread that spins keeps the one that it waits
// for from running, and a step takes ten times as long. It reads its setting before main, so the program starts itself
// once more with it. A user's own GOMP_SPINCOUNT or OMP_WAIT_POLICY is left alone.
void bound_spinning(char** arguments);

}  // namespace sluice::cli
