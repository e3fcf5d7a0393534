#include "cpu_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sluice/half.h"
#include "sluice/sdk/clones.hpp"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/step_rules.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::reference {
namespace {

constexpr std::int64_t kBlock = 16384;  // elements: 64 KiB, enough to pay for waking a thread

// Products of two float32 are exact in float64, so the sum is the same on every CPU, fused or not.
SLUICE_CLONES
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

SLUICE_CLONES
void move_towards(float* __restrict average, const float* __restrict values, std::int64_t count, float share) {
    for (std::int64_t i = 0; i < count; ++i) {
        average[i] += share * (values[i] - average[i]);
    }
}

template <class Body>
void for_pieces(const sluice_threads* threads, std::uint64_t n, std::int64_t grain, const Body& body) {
    sdk::parallel_for(threads, static_cast<std::int64_t>(n), grain,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) { body(begin, end); });
}

std::uint64_t block_count(std::uint64_t count) { return (count + kBlock - 1) / kBlock; }

}  // namespace

void CpuStep::begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
                    sluice_step_scalars* scalars, void* /*stream*/) {
    sdk::begin_step(rule, *start, *report, *scalars);
}

void CpuStep::add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report,
                       const sluice_threads* /*threads*/, void* /*stream*/) {
    double sum = is_first ? 0.0 : report->loss_sum;
    double weight = is_first ? 0.0 : report->loss_weight;
    for (std::uint64_t i = 0; i < count; ++i) {
        sum += static_cast<double>(pairs[2 * i]);
        weight += static_cast<double>(pairs[2 * i + 1]);
    }
    report->loss_sum = sum;
    report->loss_weight = weight;
}

std::uint64_t CpuStep::workspace(std::uint64_t count) const noexcept { return block_count(count) * sizeof(double); }

void CpuStep::sum_squares(const float* values, std::uint64_t count, sluice_step_report* report, void* workspace,
                          const sluice_threads* threads, void* /*stream*/) {
    auto* const sums = static_cast<double*>(workspace);
    const std::uint64_t blocks = block_count(count);
    for_pieces(threads, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            const std::int64_t first = block * kBlock;
            sums[block] = square_sum(values + first, std::min(kBlock, static_cast<std::int64_t>(count) - first));
        }
    });
    report->square_sum = std::accumulate(sums, sums + blocks, 0.0);
}

void CpuStep::decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report,
                     void* /*stream*/) {
    sdk::decide_step(rule, std::sqrt(report->square_sum), *scalars, *report);
}

void CpuStep::restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report,
                      const sluice_threads* /*threads*/, void* /*stream*/) {
    if (report->ending != SLUICE_STEP_DONE) {
        std::copy_n(from, count, to);
    }
}

void CpuStep::move_average(float* average, const float* values, std::uint64_t count, double decay,
                           const sluice_step_scalars* scalars, const sluice_step_report* report,
                           const sluice_threads* threads, void* /*stream*/) {
    if (report->ending != SLUICE_STEP_DONE) {
        return;
    }
    const float share = sdk::average_share(decay, scalars->step);
    for_pieces(threads, count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        move_towards(average + begin, values + begin, end - begin, share);
    });
}

void CpuStep::round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype,
                    const sluice_threads* threads, void* /*stream*/) {
    auto* const rounded = static_cast<std::uint16_t*>(to);
    const auto convert = sdk::same(dtype, sdk::kBfloat16) ? sluice_bfloat16_of_float : sluice_float16_of_float;
    for_pieces(threads, count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        std::transform(values + begin, values + end, rounded + begin, convert);
    });
}

}  // namespace sluice::reference
