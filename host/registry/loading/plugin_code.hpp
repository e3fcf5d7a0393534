// Finds the plugin whose code contains an address, for reports of crashes outside of any plugin call.
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// Registers the code of the library that contains `address`. A library is registered once and never removed, because
// libraries are never unloaded. Must not be called concurrently.
void note_code(const void* address, const PluginManifest& manifest);

// Returns "ID VERSION" of the plugin, also after its close(); empty for code outside of plugins. Async-signal-safe.
std::string_view owner_of_code(std::uintptr_t address);

// True for code of the program itself, such as the handler of a second Ctrl-C, which may run inside a plugin call.
// Async-signal-safe.
bool is_own_code(std::uintptr_t address);

// Owner of the innermost plugin function on the calling thread's stack; empty if there is none. For handlers of
// signals that the thread raised itself.
std::string_view owner_of_frames();

// Owner of the instruction that a signal interrupted, from the handler's `context`. If no plugin owns it, as in libc
// or at an address without code, returns the owner of the caller.
std::string_view owner_of_interrupted(const void* context);

}  // namespace sluice::registry
