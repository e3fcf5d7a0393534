// One limit of instruction sets for all that this plugin runs.
#pragma once

namespace sluice::onednn {

// Lets Highway use no more of the CPU than oneDNN does, which ONEDNN_MAX_CPU_ISA limits. Idempotent; called before the
// first kernel runs.
void limit_instruction_set();

}  // namespace sluice::onednn
