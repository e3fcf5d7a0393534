#include "base/peaks/peak_rate.hpp"

#include <algorithm>
#include <vector>

#include "base/clock.hpp"
#include "base/peaks/multiply_loops.hpp"
#include "base/peaks/thread_time.hpp"

namespace sluice {
namespace {

// A round is long next to the resolution of the clock, and short next to a time slice, so that some run undisturbed.
constexpr double kRoundSeconds = 3e-4;
constexpr double kLoopSeconds = 45e-3;
constexpr int kLeastRounds = 5;  // on a loaded machine, too

class LoopRate {
public:
    LoopRate(const sluice_threads& threads, const MultiplyLoop& loop)
        : threads_(threads), loop_(loop), pieces_(threads.count) {}

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
    struct LoopPiece {
        double result = 0.0;  // stored, so that the compiler keeps the loop
        double seconds = 0.0;
    };

    // All threads run the loop at the same time. Returns the seconds of the slowest.
    double round() {
        threads_.parallel_for(
            &threads_, threads_.count, 1,
            [](void* context, std::int64_t begin, std::int64_t end, std::uint32_t) noexcept {
                LoopRate& rate = *static_cast<LoopRate*>(context);
                for (std::int64_t i = begin; i < end; ++i) {
                    const ThreadTime time;
                    const double result = rate.loop_.run(rate.turns_);
                    rate.pieces_[static_cast<std::size_t>(i)] = {result, time.seconds()};
                }
            },
            this);
        double rate = 0.0;
        double slowest = 0.0;
        for (const LoopPiece& piece : pieces_) {
            rate += loop_.flops * static_cast<double>(turns_) / piece.seconds;
            slowest = std::max(slowest, piece.seconds);
        }
        best_ = std::max(best_, rate);
        return slowest;
    }

    const sluice_threads& threads_;
    const MultiplyLoop& loop_;
    std::vector<LoopPiece> pieces_;  // one for each thread
    std::int64_t turns_ = 32768;
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
