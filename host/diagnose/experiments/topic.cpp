#include "diagnose/experiments/topic.hpp"

#include <fmt/format.h>

#include <array>

namespace sluice::diagnose {
namespace {

void propose_nothing(const Evidence& /*evidence*/, Proposals& /*proposals*/) {}

}  // namespace

std::span<const Topic> topics() {
    static constexpr std::array<Topic, 6> kTopics{
        {{"input", "batches replayed; the input alone; a stage left out; a cache; other threads and orders",
          propose_input, explain_input},
         {"side work", "no observers, evaluations or checkpoints; each observer left out; files in memory",
          propose_side_work, explain_side_work},
         {"strategy", "no exchange; one replica alone; another wire type and bucket", propose_strategy,
          explain_strategy},
         {"compute", "larger batches; 16-bit numbers; smaller kernels; all kernel providers; no recompute",
          propose_compute, explain_compute},
         {"layers", "layers left out that take more time than their work needs; a plain loss", propose_layers,
          explain_layers},
         {"memory", "nothing: its growth is seen while the training is watched", propose_nothing, explain_memory}}};
    return kTopics;
}

bool is_gain(const Ratio* ratio, double least) {
    return ratio != nullptr && ratio->is_known() && ratio->gain() >= least && ratio->least_gain() > 0.0;
}

std::optional<Fix> fix_of(const Evidence& evidence, std::string_view name, double least) {
    const Result* const result = evidence.find(name);
    return result != nullptr && is_gain(&result->ratio, least)
               ? std::optional(Fix{.variant = result->variant, .ratio = result->ratio})
               : std::nullopt;
}

const char* hides_network(const Evidence& evidence) {
    for (const char* const name :
         {"replay", "no observers", "no evaluation", "no checkpoints", "no exchange", "one replica"}) {
        if (is_gain(evidence.ratio_of(name), kWorthOtherResults)) {
            return name;
        }
    }
    const Ratio upload = ratio_without_upload(evidence);
    return is_gain(&upload, kWorthOtherResults) ? "no upload" : nullptr;
}

std::string gain_text(const Ratio& ratio) {
    constexpr double kHopeless = 3.0;  // upper end of a ratio, from which its interval says nothing
    const std::string gain = fmt::format("{:.0f} %", 100.0 * ratio.gain());
    return ratio.high > kHopeless
               ? gain + " (unsure)"
               : fmt::format("{} [{:.0f}, {:.0f}]", gain, 100.0 * ratio.least_gain(), 100.0 * ratio.most_gain());
}

}  // namespace sluice::diagnose
