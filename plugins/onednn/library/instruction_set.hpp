// The instruction set limit that oneDNN and Highway share in this plugin.
#pragma once

namespace sluice::onednn {

// Restricts Highway to the instruction sets that oneDNN may use, which ONEDNN_MAX_CPU_ISA limits. Idempotent; call it
// before the first kernel runs.
void limit_instruction_set();

// has_bfloat16(): oneDNN may store and convert bfloat16. has_bfloat16_units(): oneDNN may also multiply bfloat16 with
// native instructions.
bool has_bfloat16();
bool has_bfloat16_units();

}  // namespace sluice::onednn
