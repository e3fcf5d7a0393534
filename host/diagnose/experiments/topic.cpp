#include "diagnose/experiments/topic.hpp"

#include <fmt/format.h>

#include <array>

namespace sluice::diagnose {
namespace {

void propose_nothing(const Evidence& /*evidence*/, Proposals& /*proposals*/) {}

}  // namespace

std::span<const Topic> topics() {
    static constexpr std::array<Topic, 4> kTopics{
        {{"input", "batches replayed from memory; samples in a cache; more or fewer threads; another order",
          propose_input, explain_input},
         {"side work", "no observers, evaluations or checkpoints; each observer left out; rarer ones",
          propose_side_work, explain_side_work},
         {"compute", "larger batches; 16-bit numbers; smaller kernels; all kernel providers; no recompute",
          propose_compute, explain_compute},
         {"memory", "nothing: its growth is seen while the training is watched", propose_nothing, explain_memory}}};
    return kTopics;
}

std::optional<Fix> fix_of(const Evidence& evidence, std::string_view name, double least) {
    const Result* const result = evidence.find(name);
    if (result == nullptr || !result->ratio.is_known() || result->ratio.gain() < least ||
        result->ratio.least_gain() <= 0.0) {
        return std::nullopt;
    }
    return Fix{.variant = result->variant, .ratio = result->ratio};
}

std::string gain_text(const Ratio& ratio) {
    return fmt::format("{:.0f} % [{:.0f}, {:.0f}]", 100.0 * ratio.gain(), 100.0 * ratio.least_gain(),
                       100.0 * ratio.most_gain());
}

}  // namespace sluice::diagnose
