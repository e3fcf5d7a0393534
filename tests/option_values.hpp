// Values of a node's options, for tests that create a node themselves. Texts, items and pairs are not copied.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/options.h"

namespace sluice::test {

inline sluice_value integer(std::int64_t value) {
    return {.kind = SLUICE_INT, .line = 0, .count = 0, .as = {.i = value}};
}
inline sluice_value boolean(bool value) {
    return {.kind = SLUICE_BOOL, .line = 0, .count = 0, .as = {.i = value ? 1 : 0}};
}
inline sluice_value number(double value) { return {.kind = SLUICE_FLOAT, .line = 0, .count = 0, .as = {.f = value}}; }
inline sluice_value text(std::string_view value) {
    return {.kind = SLUICE_STRING, .line = 0, .count = value.size(), .as = {.text = value.data()}};
}
inline sluice_value list(std::span<const sluice_value> items) {
    return {.kind = SLUICE_ARRAY, .line = 0, .count = items.size(), .as = {.items = items.data()}};
}
inline sluice_value table(std::span<const sluice_pair> pairs) {
    return {.kind = SLUICE_TABLE, .line = 0, .count = pairs.size(), .as = {.pairs = pairs.data()}};
}

}  // namespace sluice::test
