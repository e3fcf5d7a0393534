// A further base class of sources that name their classes in messages and checkpoints; see kind/class_names.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/kind/class_names.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class ClassNames {
public:
    virtual ~ClassNames() = default;
    // Returns the name of class `number` of the field; empty: it has none. The text stays valid as long as the source.
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
