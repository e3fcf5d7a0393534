// A further base class of sources, by which messages and checkpoints name classes; see kind/class_names.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/kind/class_names.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class ClassNames {
public:
    virtual ~ClassNames() = default;
    // Empty where class `number` of that field has none. What it shows stays as it is as long as the source does.
    [[nodiscard]] virtual std::string_view class_name(std::uint32_t field, std::uint64_t number) const noexcept = 0;
};

namespace detail {

template <class T>
inline constexpr sluice_class_names class_names_table = {
    .name = [](void* self, std::uint32_t field, std::uint64_t number) noexcept -> sluice_text {
        return text_of(source_of<T>(self).class_name(field, number));
    },
};

}  // namespace detail
}  // namespace sluice::sdk
