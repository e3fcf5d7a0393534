// An optimizer: names of its states, and the update of a step (kind/optimizer.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "registry/objects/object.hpp"
#include "sluice/kind/optimizer.h"

namespace sluice::registry {

class Optimizer {
public:
    Optimizer(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::span<const std::string> states() const { return states_; }
    void update(const sluice_optimizer_launch& launch) const;
    [[nodiscard]] const Object<sluice_optimizer>& object() const { return object_; }

private:
    Object<sluice_optimizer> object_;
    std::vector<std::string> states_;
};

}  // namespace sluice::registry
