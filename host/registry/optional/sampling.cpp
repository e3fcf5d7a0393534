#include "registry/optional/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "sluice/kind/sampling.h"

namespace sluice::registry {
namespace {

template <class T>
using Getter = sluice_status (*)(void* self, T* values, std::uint64_t count, sluice_error* error) noexcept;

// Calls `function` of the interface and checks each value with `is_right`. `what` names the values in messages.
template <class T>
std::vector<T> read_values(const Source& source, const Origin& origin, Getter<T> sluice_sampling::*function,
                           const char* what, bool (*is_right)(T value)) {
    const Component& component = source.object().component();
    const auto* const table = static_cast<const sluice_sampling*>(optional_interface(component, SLUICE_SAMPLING_V1));
    if (table == nullptr) {
        throw Error(Exit::config, fmt::format("{}: source '{}' does not report {} of its samples", to_string(origin),
                                              source.name(), what));
    }
    std::vector<T> values(source.length());
    sluice_error error{};
    const sluice_status status =
        enter(component, table->*function, source.object().self(), values.data(), values.size(), &error);
    if (status != SLUICE_OK) {
        throw_status(component, fmt::format("{}: source '{}'", to_string(origin), source.name()), status, error);
    }
    const auto wrong = std::ranges::find_if_not(values, is_right);
    if (wrong != values.end()) {
        misbehaves(component, fmt::format("it reports {} for '{}' of sample {}", *wrong, what, wrong - values.begin()));
    }
    return values;
}

}  // namespace

std::vector<std::int64_t> sample_classes(const Source& source, const Origin& origin) {
    return read_values<std::int64_t>(source, origin, &sluice_sampling::classes, "classes",
                                     [](std::int64_t value) { return value >= 0; });
}

std::vector<double> sample_weights(const Source& source, const Origin& origin) {
    return read_values<double>(source, origin, &sluice_sampling::weights, "weights",
                               [](double value) { return std::isfinite(value) && value >= 0.0; });
}

}  // namespace sluice::registry
