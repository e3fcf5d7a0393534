// SLUICE_CLONES before a function compiles it once for each x86-64 level; the dynamic linker picks the best that the
// machine has. It is for plain functions with a loop that the compiler vectorises. If results must be the same on every
// machine, compile with -ffp-contract=off: the higher levels have fused multiply-add instructions, which round once.
// It does nothing with other compilers and machines, or under the thread sanitizer, which cannot run before main().
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SLUICE_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define SLUICE_CLONES
#endif
