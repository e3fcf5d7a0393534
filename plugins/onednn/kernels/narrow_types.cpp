#include "kernels/narrow_types.hpp"

#include <algorithm>

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

bool any_float(const sdk::Chain& chain) {
    return all_specs(chain, [](const sluice_tensor_spec& spec) {
        return sdk::same(spec.dtype, sdk::kFloat32) || sdk::is_16_bit_float(spec.dtype);
    });
}

}  // namespace sluice::onednn
