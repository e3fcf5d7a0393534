#include "run/tuning/step_shares.hpp"

#include <algorithm>

namespace sluice::run {
namespace {

// Seconds of one step that are the same for all replicas.
struct Common {
    double exchange;   // transfer: the wait of the replica that comes last
    double most_data;  // longest wait for own samples
};

Common common_of(std::span<const ReplicaTimes> all, std::size_t step) {
    Common common{.exchange = all.front()[step].waited, .most_data = 0.0};
    for (const ReplicaTimes& replica : all) {
        common.exchange = std::min(common.exchange, replica[step].waited);
        common.most_data = std::max(common.most_data, replica[step].data);
    }
    return common;
}

// Replicas also wait for each other before the end of a step, as in synchronized layers, and on a GPU these waits are
// not measured. Time without another cause may therefore be a wait for the input of another replica.
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

std::vector<StepShares> split_step_times(std::span<const ReplicaTimes> all) {
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
