#include "library/instruction_set.hpp"

#include <hwy/highway.h>

#include <cstdint>

#include "library/onednn_api.hpp"

namespace sluice::onednn {
namespace {

// A dnnl::cpu_isa is a set of bits. A newer instruction set includes the bits of those that it extends.
bool has(dnnl::cpu_isa all, dnnl::cpu_isa wanted) {
    return (static_cast<unsigned>(all) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

}  // namespace

bool has_bfloat16() { return has(dnnl::get_effective_cpu_isa(), dnnl::cpu_isa::avx512_core); }

bool has_bfloat16_units() { return has(dnnl::get_effective_cpu_isa(), dnnl::cpu_isa::avx512_core_bf16); }

void limit_instruction_set() {
    const dnnl::cpu_isa usable = dnnl::get_effective_cpu_isa();
    std::int64_t disallowed = 0;
#if HWY_ARCH_X86
    if (!has(usable, dnnl::cpu_isa::avx512_core)) {
        disallowed |= HWY_AVX3 | (HWY_AVX3 - 1);  // the better a target, the lower its bit
    }
    if (!has(usable, dnnl::cpu_isa::avx2)) {
        disallowed |= HWY_AVX2;
    }
#endif
    if (disallowed != 0) {
        hwy::DisableTargets(disallowed);
    }
}

}  // namespace sluice::onednn
