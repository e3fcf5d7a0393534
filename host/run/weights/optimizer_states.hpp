// The optimizer's states that a replica keeps: of all parameters, or of its own slices if the update is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::run {

// What a replica updates: a range of the flat buffers, and where in each optimizer state its elements begin.
struct OwnPart {
    plan::Range range;
    std::vector<float*> states;
};

class OptimizerStates {
public:
    // `bytes` of all states together, in device memory.
    OptimizerStates(const std::shared_ptr<const registry::Device>& device, std::span<const std::string> names,
                    const plan::Buckets& buckets, std::uint64_t bytes);

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    // Flat, one for each name.
    [[nodiscard]] const std::vector<registry::Block>& blocks() const { return blocks_; }
    // In the order of the parameters: of each bucket its slice, or all in one if updates are not shared.
    [[nodiscard]] const std::vector<OwnPart>& own_parts() const { return own_parts_; }

private:
    void add_part(const plan::Range& range, std::uint64_t kept_at);

    std::vector<std::string> names_;
    std::vector<registry::Block> blocks_;
    std::vector<OwnPart> own_parts_;
};

}  // namespace sluice::run
