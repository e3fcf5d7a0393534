// The optimizer states that a replica keeps: for all parameters, or only for its own slices if the update is sharded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::run {

// A range of the flat buffers that this replica updates, and where its elements begin in each optimizer state.
struct OwnPart {
    plan::Range range;
    std::vector<float*> states;
};

class OptimizerStates {
public:
    // `bytes`: device memory for all states together.
    OptimizerStates(const std::shared_ptr<const registry::Device>& device, std::span<const std::string> names,
                    const plan::Buckets& buckets, std::uint64_t bytes);

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    // One flat buffer for each name.
    [[nodiscard]] const std::vector<registry::Block>& blocks() const { return blocks_; }
    // The own slice of each bucket, in the order of the parameters; one range of everything if the update is not
    // sharded.
    [[nodiscard]] const std::vector<OwnPart>& own_parts() const { return own_parts_; }

private:
    void add_part(const plan::Range& range, std::uint64_t kept_at);

    std::vector<std::string> names_;
    std::vector<registry::Block> blocks_;
    std::vector<OwnPart> own_parts_;
};

}  // namespace sluice::run
