// The parameters that layer types declare in infer(): weights drawn at random, and vectors that start from one number.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// Returns SLUICE_INIT_... for the option "initializer".
std::int32_t initializer_of(const std::string& name);

struct Fans {
    std::int64_t in;
    std::int64_t out;
};

// Declares parameter "kernel".
void add_kernel(const sdk::LayerSink& sink, std::initializer_list<std::int64_t> shape, std::int32_t initializer,
                const Fans& fans);
// Declares a vector. initializer: SLUICE_INIT_ZEROS or SLUICE_INIT_ONES.
void add_vector(const sdk::LayerSink& sink, std::string_view name, const sluice_tensor_spec& spec,
                std::int32_t initializer);
// Declares a vector whose elements are `initial` at first.
void add_constant(const sdk::LayerSink& sink, std::string_view name, const sluice_tensor_spec& spec, double initial);

}  // namespace sluice::reference
