#include "run/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace sluice::run {
namespace {

void parallel_for(const sluice_threads* threads, std::int64_t n, std::int64_t grain,
                  void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept, void* context) noexcept {
    if (n <= 0) {
        return;
    }
    const std::int64_t least = std::max<std::int64_t>(grain, 1);
    const std::int64_t pieces = std::clamp<std::int64_t>(n / least, 1, threads->count);
    const auto run_piece = [&](std::int64_t piece) {
        body(context, n * piece / pieces, n * (piece + 1) / pieces, static_cast<std::uint32_t>(piece));
    };
    if (pieces == 1) {
        run_piece(0);
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(pieces))
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        run_piece(piece);
    }
}

}  // namespace

Threads::Threads(int count) {
    omp_set_num_threads(count);
    api_.count = static_cast<std::uint32_t>(count);
    api_.parallel_for = parallel_for;
}

}  // namespace sluice::run
