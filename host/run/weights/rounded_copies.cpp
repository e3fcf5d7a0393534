#include "run/weights/rounded_copies.hpp"

#include <algorithm>
#include <utility>

#include "registry/optional/step_calls.hpp"

namespace sluice::run {

RoundedCopies::RoundedCopies(std::shared_ptr<const registry::Device> device, std::uint64_t count)
    : device_(std::move(device)), count_(count) {}

void RoundedCopies::keep(sluice_dtype dtype) {
    if (std::ranges::none_of(copies_, [&](const Copy& copy) { return copy.dtype == dtype; })) {
        copies_.push_back({dtype, registry::Block(device_, count_ * sizeof(std::uint16_t))});
    }
}

bool RoundedCopies::refresh(const float* parameters, std::uint32_t version, void* stream,
                            const sluice_threads& threads) {
    bool has_rounded = false;
    for (Copy& copy : copies_) {
        if (copy.version != version) {
            has_rounded = true;
            registry::StepCalls(device_, stream, &threads).round(copy.values.data(), parameters, count_, copy.dtype);
            copy.version = version;
        }
    }
    return has_rounded;
}

std::uint16_t* RoundedCopies::of(sluice_dtype dtype) const {
    const auto known = std::ranges::find_if(copies_, [&](const Copy& copy) { return copy.dtype == dtype; });
    return reinterpret_cast<std::uint16_t*>(known->values.data());
}

}  // namespace sluice::run
