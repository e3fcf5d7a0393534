// One limit of instruction sets for all that this plugin runs.
#pragma once

namespace sluice::onednn {

// Lets Highway use no more of the CPU than oneDNN does, which ONEDNN_MAX_CPU_ISA limits. Idempotent; called before the
// first kernel runs.
void limit_instruction_set();

// Of what oneDNN may use: whether it stores and converts bfloat16, and whether it multiplies it by units of its own.
bool has_bfloat16();
bool has_bfloat16_units();

}  // namespace sluice::onednn
