#include "winograd/packed_kernels.hpp"

#include <new>
#include <utility>

#include "gemm/multiply.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void PackedKernels::Free::operator()(float* block) const noexcept { ::operator delete(block, kAlignment); }

PackedKernels::PackedKernels(const KernelLayout& layout, std::vector<KernelPart> parts)
    : layout_(layout), parts_(std::move(parts)) {
    copy_.reset(static_cast<float*>(::operator new(parts_.size() * layout_.count() * sizeof(float), kAlignment)));
}

void PackedKernels::renew(const sluice_launch& launch, const float* kernels) {
    if (source_ == kernels && version_ == launch.parameters_version) {
        return;
    }
    const std::int64_t vectors = layout_.width / vector_width();
    sdk::parallel_for(launch.threads, static_cast<std::int64_t>(parts_.size()) * vectors, 1,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                          for (std::int64_t i = begin; i < end; ++i) {
                              const auto part = static_cast<std::size_t>(i / vectors);
                              transform_kernels(layout_, parts_[part], kernels, i % vectors,
                                                copy_.get() + part * layout_.count());
                          }
                      });
    source_ = kernels;
    version_ = launch.parameters_version;
}

}  // namespace sluice::onednn
