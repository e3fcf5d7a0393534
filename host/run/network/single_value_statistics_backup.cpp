#include "run/network/single_value_statistics_backup.hpp"

#include "plan/single_value_norms.hpp"

namespace sluice::run {

SingleValueStatisticsBackup::SingleValueStatisticsBackup(const std::shared_ptr<const registry::Device>& device,
                                                         void* stream, const Weights& weights,
                                                         const plan::Graph& graph) {
    const auto add = [&](std::optional<StatisticsBackup>& backup, bool joins) {
        const auto norms = plan::norms_of_single_values(graph, joins);
        if (!norms.empty()) {
            backup.emplace(device, stream, weights, plan::running_ranges(norms, graph, weights.layout()));
        }
    };
    add(of_one_, false);
    add(of_all_, true);
}

}  // namespace sluice::run
