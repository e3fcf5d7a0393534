#include "conv/packed_weights.hpp"

#include <new>

namespace sluice::onednn {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void PackedWeights::Free::operator()(float* block) const noexcept { ::operator delete(block, kAlignment); }

PackedWeights::PackedWeights(const dnnl::engine& engine, const Md& canonical, const Md& packed) {
    if (packed != canonical) {
        reorder_ = make_reorder(engine, canonical, packed);
        copy_.reset(static_cast<float*>(::operator new(packed.get_size(), kAlignment)));
    }
}

const float* PackedWeights::get(const sluice_launch& launch, const float* weights) {
    if (!reorder_) {
        return weights;
    }
    if (source_ != weights || version_ != launch.parameters_version) {
        reorder_->execute({{DNNL_ARG_FROM, weights}, {DNNL_ARG_TO, copy_.get()}});
        source_ = weights;
        version_ = launch.parameters_version;
    }
    return copy_.get();
}

}  // namespace sluice::onednn
