#include "run/flat_math.hpp"

#include <algorithm>
#include <numeric>

// Compiled once for each x86-64 level; the dynamic linker takes the best that the machine has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SLUICE_FLAT_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define SLUICE_FLAT_CLONES
#endif

namespace sluice::run {
namespace {

constexpr std::int64_t kBlock = 16384;  // elements: 64 KiB, enough to pay for waking a thread

// Products of two float32 are exact in float64, so fused or not the sum is the same on every CPU.
SLUICE_FLAT_CLONES
double square_sum(const float* values, std::int64_t count) {
    constexpr std::int64_t kLanes = 32;
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const auto value = static_cast<double>(values[i + lane]);
            lanes[lane] += value * value;
        }
    }
    for (; i < count; ++i) {
        lanes[0] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
    return std::accumulate(lanes, lanes + kLanes, 0.0);
}

SLUICE_FLAT_CLONES
void move_towards(float* __restrict average, const float* __restrict values, std::int64_t count, float share) {
    for (std::int64_t i = 0; i < count; ++i) {
        average[i] += share * (values[i] - average[i]);
    }
}

template <class Body>
void for_pieces(const sluice_threads& threads, std::int64_t n, std::int64_t grain, const Body& body) {
    threads.parallel_for(
        &threads, n, grain,
        [](void* context, std::int64_t begin, std::int64_t end, std::uint32_t) noexcept {
            (*static_cast<const Body*>(context))(begin, end);
        },
        const_cast<Body*>(&body));
}

}  // namespace

SquareSum::SquareSum(std::uint64_t count)
    : count_(static_cast<std::int64_t>(count)),
      blocks_(static_cast<std::size_t>((count_ + kBlock - 1) / kBlock), 0.0) {}

double SquareSum::operator()(const sluice_threads& threads, const float* values) {
    for_pieces(threads, static_cast<std::int64_t>(blocks_.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            const std::int64_t first = block * kBlock;
            blocks_[static_cast<std::size_t>(block)] = square_sum(values + first, std::min(kBlock, count_ - first));
        }
    });
    return std::accumulate(blocks_.begin(), blocks_.end(), 0.0);
}

void move_average(const sluice_threads& threads, float* average, const float* values, std::uint64_t count,
                  float share) {
    for_pieces(threads, static_cast<std::int64_t>(count), kBlock, [&](std::int64_t begin, std::int64_t end) {
        move_towards(average + begin, values + begin, end - begin, share);
    });
}

double average_decay(double decay, std::uint64_t step) {
    const auto t = static_cast<double>(step);
    return std::min(decay, (1.0 + t) / (10.0 + t));
}

}  // namespace sluice::run
