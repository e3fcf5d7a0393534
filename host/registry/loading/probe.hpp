// The first load of a stranger's plugin, in a child process: a constructor that crashes or hangs ends the child, not
// the host.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

inline constexpr std::chrono::seconds kProbeLimit{10};

// Empty where the plugin loads and its table is right, otherwise the reason why not.
std::string probe(const std::filesystem::path& file, const PluginManifest& manifest,
                  std::chrono::milliseconds limit = kProbeLimit);
// The same with its open(), which has to return; what it returns may be another thing in the host itself.
std::string probe_open(const std::filesystem::path& file, const PluginManifest& manifest,
                       std::chrono::milliseconds limit = kProbeLimit);

// As probe(), but a file that was loaded before, under the circumstances of now, is not tried again: see ProbeCache,
// which whoever then loads it has to tell once that has gone well. A failure is not kept, because a missing library may
// appear later.
std::string probe_once(const std::filesystem::path& file, const PluginManifest& manifest);

}  // namespace sluice::registry
