// Loads a third-party plugin for the first time in a child process, so that a constructor that crashes or hangs does
// not affect the host.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

inline constexpr std::chrono::seconds kProbeLimit{10};

// Returns an empty string if the plugin loads and its table is valid, otherwise the reason. A child that exceeds
// `limit` is killed. Throws OutOfResources if this process or the child lacks memory or processes for the probe.
std::string probe(const std::filesystem::path& file, const PluginManifest& manifest,
                  std::chrono::milliseconds limit = kProbeLimit);
// Also calls open(), which must return within the limit. Its status is ignored, because it may differ in the host.
std::string probe_open(const std::filesystem::path& file, const PluginManifest& manifest,
                       std::chrono::milliseconds limit = kProbeLimit);

// Behaves like probe(), but skips a file that ProbeCache knows to load. The caller must call ProbeCache::remember()
// after it has loaded the plugin. Failures are not cached, because a missing library may be installed later.
std::string probe_once(const std::filesystem::path& file, const PluginManifest& manifest);

}  // namespace sluice::registry
