#include "library/packed_memory.hpp"

#include <new>

namespace sluice::onednn {
namespace {

constexpr std::align_val_t kPackedAlignment{64};

}  // namespace

void PackedMemory::Free::operator()(float* block) const noexcept { ::operator delete(block, kPackedAlignment); }

PackedMemory::PackedMemory(std::uint64_t bytes, bool trains, Layout& workspace)
    : offset_(workspace.take(trains ? bytes : 0)) {
    if (!trains) {
        kept_.reset(static_cast<float*>(::operator new(bytes, kPackedAlignment)));
    }
}

PackedMemory::Place PackedMemory::place(const sluice_launch& launch, const float* weights) {
    if (!kept_) {
        return {at(launch, offset_), true};
    }
    const bool stale = source_ != weights || version_ != launch.parameters_version;
    source_ = weights;
    version_ = launch.parameters_version;
    return {kept_.get(), stale};
}

}  // namespace sluice::onednn
