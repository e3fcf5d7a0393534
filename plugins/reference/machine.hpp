// What Linux says of this machine and of this process's share of it.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::reference {

// "AMD EPYC 9655P", or "CPU" where the kernel does not name it.
std::string cpu_name();
// Instruction sets that matter to kernels, of those that this CPU has: "avx2 avx512f avx512_bf16 amx".
std::string cpu_instructions();
// Cores that this process may run on.
std::uint32_t usable_cores();
// Bytes that this process may still take: what the machine has available, at most the limit of the control group.
std::uint64_t available_memory();

}  // namespace sluice::reference
