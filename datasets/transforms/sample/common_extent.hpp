// Checks that pictures whose pixels are moved together have the same size.
#pragma once

#include <span>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {

// `extent_of` maps a field's number to the extent of its picture. `what`: the operation, for the message: "cropped".
template <class ExtentOf>
Extent common_extent(std::span<const Chosen> chosen, const char* what, const ExtentOf& extent_of) {
    const Extent first = extent_of(chosen.front().index);
    for (const Chosen& field : chosen) {
        const Extent extent = extent_of(field.index);
        if (extent != first) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE, "'" + chosen.front().name + "' is " + describe(first) + " and '" +
                                                      field.name + "' is " + describe(extent) + "; to be " + what +
                                                      " together they need the same size");
        }
    }
    return first;
}

}  // namespace sluice::transforms
