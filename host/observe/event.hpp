// The host's form of the events that observers get.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tensor.hpp"
#include "profile/window.hpp"
#include "sluice/kind/observer.h"

namespace sluice::observe {

// A SLUICE_EVENT_STEP in fixed memory.
struct StepEvent {
    static constexpr std::size_t kMostScalars = 32;

    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::string_view text{};  // valid until the bus has ended, because it is not copied
    std::array<sluice_scalar, kMostScalars> scalars{};
    std::size_t scalar_count = 0;

    // `name` must be a literal, because it is not copied.
    template <std::size_t N>
    void add(const char (&name)[N], double value) {
        scalars.at(scalar_count++) = {{static_cast<const char*>(name), N - 1}, value};
    }
    // Returns 0 if there is no scalar `name`.
    [[nodiscard]] double value(std::string_view name) const {
        for (std::size_t i = 0; i < scalar_count; ++i) {
            if (std::string_view(scalars[i].name.ptr, scalars[i].name.len) == name) {
                return scalars[i].value;
            }
        }
        return 0.0;
    }
};

// All other events.
struct Event {
    std::uint32_t kind = SLUICE_EVENT_RUN_BEGIN;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::string text;
    std::vector<std::pair<std::string, double>> scalars;
    std::vector<std::pair<std::string, HostTensor>> tensors;
    std::shared_ptr<const profile::Window> profile = nullptr;  // null unless the kind is SLUICE_EVENT_PROFILE
};

}  // namespace sluice::observe
