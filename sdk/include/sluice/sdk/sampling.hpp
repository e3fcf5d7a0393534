// A further base class of sources whose samples can be drawn by class or weight; see kind/sampling.h.
#pragma once

#include <span>

#include "sluice/kind/sampling.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class Sampling {
public:
    virtual ~Sampling() = default;
    // Each function fills in one number for each sample.
    virtual void classes(std::span<std::int64_t> classes) const = 0;
    virtual void weights(std::span<double> weights) const = 0;
};

namespace detail {

template <class T>
inline constexpr sluice_sampling sampling_table = {
    .classes = [](void* self, std::int64_t* classes, std::uint64_t count,
                  sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { source_of<T>(self).classes({classes, count}); });
    },
    .weights = [](void* self, double* weights, std::uint64_t count, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { source_of<T>(self).weights({weights, count}); });
    },
};

}  // namespace detail
}  // namespace sluice::sdk
