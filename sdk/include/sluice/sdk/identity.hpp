// A further base class of sources whose samples can be cached on disk; see kind/identity.h.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/kind/identity.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class Identity {
public:
    virtual ~Identity() = default;
    // Returns a hash of all that samples depend on besides the options; the default is right if there is nothing else.
    [[nodiscard]] virtual std::array<std::uint64_t, 2> identity() const { return {}; }
};

namespace detail {

template <class T>
inline constexpr sluice_identity identity_table = {
    .identity = [](void* self, std::uint64_t* identity, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            const std::array<std::uint64_t, 2> found = source_of<T>(self).identity();
            identity[0] = found[0];
            identity[1] = found[1];
        });
    },
};

}  // namespace detail
}  // namespace sluice::sdk
