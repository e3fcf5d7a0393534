// Whose code an address lies in, for what is said of a crash outside of all calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// Notes the code of the library that `address` lies in, once: libraries are never unloaded. Not to be called
// concurrently.
void note_code(const void* address, const PluginManifest& manifest);

// "ID VERSION" of the plugin, also after its close(); empty for code of anybody else. Async-signal-safe.
std::string_view owner_of_code(std::uintptr_t address);

// Whether it is code of the program itself, as the handler of a second Ctrl-C, which may run within a plugin's call.
// Async-signal-safe.
bool is_own_code(std::uintptr_t address);

// Of the innermost function of the calling thread that is a plugin's; empty where there is none. For the handler of a
// signal that the thread has raised itself.
std::string_view owner_of_frames();

// Of the instruction that a signal has come from, given the handler's `context`; where it is nobody's, as in libc or
// at an address without code, of those who called it.
std::string_view owner_of_interrupted(const void* context);

}  // namespace sluice::registry
