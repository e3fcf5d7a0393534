#include "base/peaks/peak_rate.hpp"

#include <algorithm>
#include <vector>

#include "base/clock.hpp"
#include "base/peaks/multiply_loops.hpp"

namespace sluice {
namespace {

// A round is long next to the start of threads, and short next to a time slice, so that some rounds run undisturbed.
constexpr double kRoundSeconds = 3e-4;
constexpr double kLoopSeconds = 45e-3;
constexpr int kLeastRounds = 5;  // on a loaded machine, too

class LoopRate {
public:
    LoopRate(const sluice_threads& threads, const MultiplyLoop& loop)
        : threads_(threads), loop_(loop), results_(threads.count) {}

    double best() {
        while (round() < kRoundSeconds) {  // which also brings the cores to their clock
            turns_ *= 2;
        }
        const double end = now() + kLoopSeconds;
        for (int i = 0; i < kLeastRounds || now() < end; ++i) {
            round();
        }
        return best_;
    }

private:
    // Returns its seconds.
    double round() {
        const double start = now();
        threads_.parallel_for(
            &threads_, threads_.count, 1,
            [](void* context, std::int64_t begin, std::int64_t end, std::uint32_t) noexcept {
                LoopRate& rate = *static_cast<LoopRate*>(context);
                for (std::int64_t i = begin; i < end; ++i) {
                    rate.results_[static_cast<std::size_t>(i)] = rate.loop_.run(rate.turns_);
                }
            },
            this);
        const double seconds = std::max(now() - start, 1e-9);
        best_ = std::max(best_, loop_.flops * static_cast<double>(turns_) * threads_.count / seconds);
        return seconds;
    }

    const sluice_threads& threads_;
    const MultiplyLoop& loop_;
    std::vector<double> results_;  // of each thread
    std::int64_t turns_ = 256;
    double best_ = 0.0;
};

}  // namespace

double measure_peak_rate(const sluice_threads& threads, sluice_dtype operands) {
    double best = 0.0;
    for (const MultiplyLoop& loop : multiply_loops(operands)) {
        best = std::max(best, LoopRate(threads, loop).best());
    }
    return best;
}

}  // namespace sluice
