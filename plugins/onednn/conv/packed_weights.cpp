#include "conv/packed_weights.hpp"

namespace sluice::onednn {

PackedWeights::PackedWeights(const dnnl::engine& engine, const WeightLayouts& layouts, Layout& workspace) {
    if (layouts.packed != layouts.canonical) {
        reorder_ = make_reorder(engine, layouts.canonical, layouts.packed);
        copy_.emplace(layouts.packed.get_size(), layouts.trains, workspace);
    }
}

const void* PackedWeights::get(const sluice_launch& launch, const float* weights) {
    if (!reorder_) {
        return weights;
    }
    const PackedMemory::Place place = copy_->place(launch, weights);
    if (place.stale) {
        reorder_->execute({{DNNL_ARG_FROM, weights}, {DNNL_ARG_TO, place.memory}});
    }
    return place.memory;
}

}  // namespace sluice::onednn
