// A precision policy: its traits, and its choice for each layer (kind/precision.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/objects/object.hpp"
#include "sluice/kind/precision.h"

namespace sluice::registry {

class Precision {
public:
    Precision(const Component& component, const Table& options, const Origin& origin);
    // Traits of the whole policy. `candidates` points to memory of the plugin.
    [[nodiscard]] const sluice_precision_traits& traits() const { return traits_; }
    [[nodiscard]] sluice_precision_choice choose(std::string_view type, std::string_view path,
                                                 std::int32_t colour) const;

private:
    Object<sluice_precision> object_;
    sluice_precision_traits traits_{};
};

}  // namespace sluice::registry
