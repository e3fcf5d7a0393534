#include "run/weights/optimizer_states.hpp"

namespace sluice::run {

OptimizerStates::OptimizerStates(const std::shared_ptr<const registry::Device>& device,
                                 std::span<const std::string> names, const plan::Buckets& buckets, std::uint64_t bytes)
    : names_(names.begin(), names.end()) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        blocks_.emplace_back(device, bytes / names_.size());
    }
    if (!buckets.are_shared()) {
        add_part({0, buckets.elements()}, 0);
        return;
    }
    for (const plan::Range& bucket : buckets.all()) {
        add_part(buckets.own(bucket), buckets.kept_at(bucket));
    }
}

void OptimizerStates::add_part(const plan::Range& range, std::uint64_t kept_at) {
    OwnPart& part = own_parts_.emplace_back(OwnPart{range, {}});
    for (const registry::Block& block : blocks_) {
        part.states.push_back(reinterpret_cast<float*>(block.data()) + kept_at);
    }
}

}  // namespace sluice::run
