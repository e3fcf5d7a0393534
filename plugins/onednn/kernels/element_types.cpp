#include "kernels/element_types.hpp"

#include <algorithm>

#include "library/instruction_set.hpp"

namespace sluice::onednn {
namespace {

template <class Test>
bool all_specs(const sdk::Chain& chain, const Test& test) {
    for (std::size_t n = 0; n < chain.size(); ++n) {
        const auto inputs = chain[n].inputs();
        const auto outputs = chain[n].outputs();
        if (!std::all_of(inputs.begin(), inputs.end(), test) || !std::all_of(outputs.begin(), outputs.end(), test)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool all_bfloat16(const sdk::Chain& chain) {
    return all_specs(chain, [](const sluice_tensor_spec& spec) { return sdk::same(spec.dtype, sdk::kBfloat16); });
}

bool bfloat16_convolution(const sdk::Chain& chain) {
    const auto is_bfloat16 = [](const sluice_tensor_spec& spec) { return sdk::same(spec.dtype, sdk::kBfloat16); };
    const auto is_wide = [](const sluice_tensor_spec& spec) { return sdk::same(spec.dtype, sdk::kFloat32); };
    for (std::size_t n = 0; n < chain.size(); ++n) {
        const auto inputs = chain[n].inputs();
        const auto outputs = chain[n].outputs();
        const bool is_last = n + 1 == chain.size();
        if (!sdk::same(chain[n].compute(), sdk::kBfloat16) || !std::all_of(inputs.begin(), inputs.end(), is_bfloat16) ||
            !(std::all_of(outputs.begin(), outputs.end(), is_bfloat16) || (is_last && is_wide(outputs[0])))) {
            return false;
        }
    }
    return has_bfloat16();
}

bool any_float(const sdk::Chain& chain) {
    return all_specs(chain, [](const sluice_tensor_spec& spec) {
        return sdk::same(spec.dtype, sdk::kFloat32) || sdk::is_16_bit_float(spec.dtype);
    });
}

}  // namespace sluice::onednn
