// Values of a node's options, for tests that make a node themselves.
#pragma once

#include <array>
#include <string_view>

#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

inline sluice_value integer(std::int64_t value) {
    return {.kind = SLUICE_INT, .line = 0, .count = 0, .as = {.i = value}};
}
inline sluice_value boolean(bool value) {
    return {.kind = SLUICE_BOOL, .line = 0, .count = 0, .as = {.i = value ? 1 : 0}};
}
inline sluice_value number(double value) { return {.kind = SLUICE_FLOAT, .line = 0, .count = 0, .as = {.f = value}}; }
// Texts and pairs are not copied.
inline sluice_value text(std::string_view value) {
    return {.kind = SLUICE_STRING, .line = 0, .count = value.size(), .as = {.text = value.data()}};
}
template <std::size_t kCount>
sluice_value table(const std::array<sluice_pair, kCount>& pairs) {
    return {.kind = SLUICE_TABLE, .line = 0, .count = kCount, .as = {.pairs = pairs.data()}};
}

// The options of a conv2d with stride 1.
inline std::array<sluice_pair, 5> convolution_options(std::int64_t kernel, std::string_view padding) {
    return {{{sdk::text_of("dilation"), integer(1)},
             {sdk::text_of("groups"), integer(1)},
             {sdk::text_of("kernel"), integer(kernel)},
             {sdk::text_of("padding"), text(padding)},
             {sdk::text_of("stride"), integer(1)}}};
}
inline std::array<sluice_pair, 3> norm_options(double epsilon, double momentum, bool synchronized) {
    return {{{sdk::text_of("epsilon"), number(epsilon)},
             {sdk::text_of("momentum"), number(momentum)},
             {sdk::text_of("synchronized"), boolean(synchronized)}}};
}

}  // namespace sluice::cudnn
