#include "winograd/packed_kernels.hpp"

#include <utility>

#include "gemm/multiply.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {

PackedKernels::PackedKernels(const KernelLayout& layout, std::vector<KernelPart> parts, bool trains, Layout& workspace)
    : layout_(layout),
      parts_(std::move(parts)),
      memory_(parts_.size() * layout_.count() * sizeof(float), trains, workspace) {}

void PackedKernels::renew(const sluice_launch& launch, const float* kernels) {
    const PackedMemory::Place place = memory_.place(launch, kernels);
    matrices_ = place.memory;
    if (!place.stale) {
        return;
    }
    const std::int64_t vectors = layout_.width / vector_width();
    sdk::parallel_for(launch.threads, static_cast<std::int64_t>(parts_.size()) * vectors, 1,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                          for (std::int64_t i = begin; i < end; ++i) {
                              const auto part = static_cast<std::size_t>(i / vectors);
                              transform_kernels(layout_, parts_[part], kernels, i % vectors,
                                                matrices_ + part * layout_.count());
                          }
                      });
}

}  // namespace sluice::onednn
