#include "run/tuning/step_shares.hpp"

#include <algorithm>

namespace sluice::run {
namespace {

// What all replicas have of one step.
struct Common {
    double exchange;   // for which who comes last waits
    double most_data;  // of the one that waits longest for its samples
};

Common common_of(std::span<const ReplicaTimes> all, std::size_t step) {
    Common common{.exchange = all.front()[step].waited, .most_data = 0.0};
    for (const ReplicaTimes& replica : all) {
        common.exchange = std::min(common.exchange, replica[step].waited);
        common.most_data = std::max(common.most_data, replica[step].data);
    }
    return common;
}

// Others are also waited for before the end, as within layers that join the replicas, and on a GPU nobody sees that:
// the time that is neither computed nor waited for anything else may have gone for the input of another.
void add(const StepTimes& step, const Common& common, StepShares& to) {
    const double data = std::min(step.data, step.whole);
    const double waited = std::min(step.waited, step.whole - data);
    const double exchange = std::min(common.exchange, waited);
    const double idle = std::max(waited - exchange, step.whole - data - exchange - step.compute);
    const double late_data = std::clamp(common.most_data - data, 0.0, idle);
    const double others = std::max(waited - exchange - late_data, 0.0);
    to.whole += step.whole;
    to.data += data + late_data;
    to.others += others;
    to.exchange += exchange;
    to.compute += std::min(step.compute, step.whole - data - late_data - others - exchange);
}

}  // namespace

std::vector<StepShares> share_out(std::span<const ReplicaTimes> all) {
    std::vector<StepShares> shares(all.size());
    for (std::size_t step = 0; step < kSharedSteps; ++step) {
        const Common common = common_of(all, step);
        for (std::size_t i = 0; i < all.size(); ++i) {
            add(all[i][step], common, shares[i]);
        }
    }
    return shares;
}

}  // namespace sluice::run
