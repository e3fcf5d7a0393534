// The options of layers, for tests that make a node themselves.
#pragma once

#include <array>
#include <string_view>

#include "../option_values.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

using test::boolean;
using test::integer;
using test::number;
using test::table;
using test::text;

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
