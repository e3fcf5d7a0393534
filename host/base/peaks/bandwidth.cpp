#include "base/peaks/bandwidth.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "base/clock.hpp"
#include "base/machine.hpp"

namespace sluice {
namespace {

constexpr std::uint64_t kKibi = 1 << 10;
constexpr std::uint64_t kMebi = 1 << 20;
constexpr std::uint64_t kSizes[] = {64 * kKibi, 256 * kKibi, kMebi,       4 * kMebi,
                                    16 * kMebi, 64 * kMebi,  256 * kMebi, 1024 * kMebi};
constexpr int kPasses = 3;

// Limits what an effort may take.
struct BandwidthBounds {
    std::uint64_t largest;      // array
    std::uint64_t least_bytes;  // of a pass: small arrays are processed repeatedly
};

BandwidthBounds bounds_of(BandwidthEffort effort) {
    return effort == BandwidthEffort::quick ? BandwidthBounds{64 * kMebi, 4 * kMebi}
                                            : BandwidthBounds{1024 * kMebi, 64 * kMebi};
}

// Each thread works on the same part of each array, [first, last).
struct Arrays {
    std::uint64_t* a = nullptr;
    const std::uint64_t* b = nullptr;
    const std::uint64_t* c = nullptr;
    std::uint64_t* sums = nullptr;  // one per piece, so that the compiler keeps the reads
    std::int64_t repeat = 1;
};

using Body = void (*)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept;

void read(void* context, std::int64_t first, std::int64_t last, std::uint32_t piece) noexcept {
    const Arrays& arrays = *static_cast<const Arrays*>(context);
    std::uint64_t sum = 0;
    for (std::int64_t times = 0; times < arrays.repeat; ++times) {
        for (std::int64_t i = first; i < last; ++i) {
            sum += arrays.a[i];
        }
        arrays.sums[piece] += sum;
    }
}

void copy(void* context, std::int64_t first, std::int64_t last, std::uint32_t) noexcept {
    const Arrays& arrays = *static_cast<const Arrays*>(context);
    for (std::int64_t times = 0; times < arrays.repeat; ++times) {
        std::memcpy(arrays.a + first, arrays.b + first, static_cast<std::size_t>(last - first) * sizeof(*arrays.a));
    }
}

void triad(void* context, std::int64_t first, std::int64_t last, std::uint32_t) noexcept {
    const Arrays& arrays = *static_cast<const Arrays*>(context);
    for (std::int64_t times = 0; times < arrays.repeat; ++times) {
        for (std::int64_t i = first; i < last; ++i) {
            arrays.a[i] = arrays.b[i] + (arrays.c[i] << 1);
        }
    }
}

// Runs on one memory block, as one, two or three arrays of equal length.
class Runner {
public:
    Runner(const sluice_threads& threads, std::span<std::uint64_t> block, std::uint64_t least_bytes)
        : threads_(threads), block_(block), least_bytes_(least_bytes), sums_(threads.count, 0) {}

    // Returns bytes per second, the best of all passes.
    double rate(Body body, std::size_t array_count, std::uint64_t bytes) {
        const std::size_t length = bytes / sizeof(std::uint64_t) / array_count;
        Arrays arrays{.a = block_.data(),
                      .b = block_.data() + (array_count > 1 ? length : 0),
                      .c = block_.data() + (array_count > 2 ? 2 * length : 0),
                      .sums = sums_.data(),
                      .repeat = static_cast<std::int64_t>(std::max<std::uint64_t>(least_bytes_ / bytes, 1))};
        double best = 0.0;
        for (int pass = 0; pass < kPasses; ++pass) {
            const double start = now();
            threads_.parallel_for(&threads_, static_cast<std::int64_t>(length), 1, body, &arrays);
            const double seconds = std::max(now() - start, 1e-9);
            best = std::max(best, static_cast<double>(arrays.repeat) * static_cast<double>(bytes) / seconds);
        }
        return best;
    }

private:
    const sluice_threads& threads_;
    std::span<std::uint64_t> block_;
    std::uint64_t least_bytes_;
    std::vector<std::uint64_t> sums_;
};

}  // namespace

double Bandwidth::best() const { return std::max({read, copy, triad}); }

std::vector<Bandwidth> measure_bandwidth(const sluice_threads& threads, BandwidthEffort effort) {
    const BandwidthBounds bounds = bounds_of(effort);
    const std::uint64_t most = std::min(bounds.largest, std::max(available_memory() / 4, kSizes[0]));
    std::vector<Bandwidth> measured;
    for (const std::uint64_t bytes : kSizes) {
        if (bytes <= most) {
            measured.push_back({.bytes = bytes});
        }
    }
    const std::size_t words = measured.back().bytes / sizeof(std::uint64_t);
    const auto block = std::make_unique<std::uint64_t[]>(words);
    Runner runner(threads, {block.get(), words}, bounds.least_bytes);
    for (Bandwidth& size : measured) {
        size.read = runner.rate(read, 1, size.bytes);
        size.copy = runner.rate(copy, 2, size.bytes);
        size.triad = runner.rate(triad, 3, size.bytes);
    }
    return measured;
}

double bandwidth_for(const std::vector<Bandwidth>& measured, double bytes) {
    double best = measured.back().best();
    for (const Bandwidth& size : measured) {
        best = static_cast<double>(size.bytes) >= bytes ? std::max(best, size.best()) : best;
    }
    return best;
}

}  // namespace sluice
