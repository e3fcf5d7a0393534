#include "base/peaks/bandwidth.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "base/machine.hpp"
#include "base/peaks/thread_time.hpp"

namespace sluice {
namespace {

constexpr std::uint64_t kKibi = 1 << 10;
constexpr std::uint64_t kMebi = 1 << 20;
constexpr std::uint64_t kSizes[] = {64 * kKibi, 256 * kKibi, kMebi,       4 * kMebi,
                                    16 * kMebi, 64 * kMebi,  256 * kMebi, 1024 * kMebi};
constexpr std::uint64_t kLongBytes = 64 * kMebi;
constexpr int kLongPasses = 3;

// Limits what an effort may take.
struct BandwidthBounds {
    std::uint64_t largest;      // array
    std::uint64_t least_bytes;  // of a pass: small arrays are processed repeatedly
    int passes;                 // fewer over arrays that take long
    bool reads;                 // a loop that only reads is never the fastest
};

BandwidthBounds bounds_of(BandwidthEffort effort) {
    return effort == BandwidthEffort::quick ? BandwidthBounds{64 * kMebi, 4 * kMebi, 2, false}
                                            : BandwidthBounds{1024 * kMebi, 16 * kMebi, 10, true};
}

struct PassPiece {
    std::uint64_t sum = 0;  // stored, so that the compiler keeps the reads
    double rate = 0.0;      // elements of an array per second
};

// Each thread works on the same part of each array, [first, last).
struct Arrays {
    std::uint64_t* a = nullptr;
    const std::uint64_t* b = nullptr;
    const std::uint64_t* c = nullptr;
    PassPiece* pieces = nullptr;
    std::int64_t repeat = 1;
};

using Body = void (*)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept;
using Pass = void (*)(const Arrays&, std::int64_t, std::int64_t, PassPiece&) noexcept;

void read(const Arrays& arrays, std::int64_t first, std::int64_t last, PassPiece& piece) noexcept {
    for (std::int64_t i = first; i < last; ++i) {
        piece.sum += arrays.a[i];
    }
}

void copy(const Arrays& arrays, std::int64_t first, std::int64_t last, PassPiece& /*piece*/) noexcept {
    std::memcpy(arrays.a + first, arrays.b + first, static_cast<std::size_t>(last - first) * sizeof(*arrays.a));
}

void triad(const Arrays& arrays, std::int64_t first, std::int64_t last, PassPiece& /*piece*/) noexcept {
    for (std::int64_t i = first; i < last; ++i) {
        arrays.a[i] = arrays.b[i] + (arrays.c[i] << 1);
    }
}

template <Pass pass>
void repeat_pass(void* context, std::int64_t first, std::int64_t last, std::uint32_t number) noexcept {
    const Arrays& arrays = *static_cast<const Arrays*>(context);
    PassPiece piece = arrays.pieces[number];
    const ThreadTime time;
    for (std::int64_t times = 0; times < arrays.repeat; ++times) {
        pass(arrays, first, last, piece);
        arrays.pieces[number].sum = piece.sum;
    }
    piece.rate = static_cast<double>(arrays.repeat * (last - first)) / time.seconds();
    arrays.pieces[number] = piece;
}

// Runs on one memory block, as one, two or three arrays of equal length.
class Runner {
public:
    Runner(const sluice_threads& threads, std::span<std::uint64_t> block, const BandwidthBounds& bounds)
        : threads_(threads), block_(block), bounds_(bounds), pieces_(threads.count) {}

    // Returns bytes per second, the best of all passes.
    double rate(Body body, std::size_t array_count, std::uint64_t bytes) {
        const std::size_t length = bytes / sizeof(std::uint64_t) / array_count;
        Arrays arrays{.a = block_.data(),
                      .b = block_.data() + (array_count > 1 ? length : 0),
                      .c = block_.data() + (array_count > 2 ? 2 * length : 0),
                      .pieces = pieces_.data(),
                      .repeat = static_cast<std::int64_t>(std::max<std::uint64_t>(bounds_.least_bytes / bytes, 1))};
        double best = 0.0;
        const int passes = bytes > kLongBytes ? std::min(bounds_.passes, kLongPasses) : bounds_.passes;
        for (int pass = 0; pass < passes; ++pass) {
            threads_.parallel_for(&threads_, static_cast<std::int64_t>(length), 1, body, &arrays);
            double elements = 0.0;
            for (const PassPiece& piece : pieces_) {
                elements += piece.rate;
            }
            best = std::max(best, elements * static_cast<double>(array_count * sizeof(std::uint64_t)));
        }
        return best;
    }

private:
    const sluice_threads& threads_;
    std::span<std::uint64_t> block_;
    const BandwidthBounds& bounds_;
    std::vector<PassPiece> pieces_;
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
    Runner runner(threads, {block.get(), words}, bounds);
    for (Bandwidth& size : measured) {
        size.read = bounds.reads ? runner.rate(repeat_pass<read>, 1, size.bytes) : 0.0;
        size.copy = runner.rate(repeat_pass<copy>, 2, size.bytes);
        size.triad = runner.rate(repeat_pass<triad>, 3, size.bytes);
    }
    return measured;
}

double bandwidth_for(const std::vector<Bandwidth>& measured, double bytes) {
    double best = 0.0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const bool is_smaller = i + 1 < measured.size() && static_cast<double>(measured[i + 1].bytes) <= bytes;
        best = is_smaller ? best : std::max(best, measured[i].best());
    }
    return best;
}

}  // namespace sluice
