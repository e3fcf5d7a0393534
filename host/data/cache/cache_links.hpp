// Caches on disk for a training that is only measured. It reads what earlier runs kept, and leaves their files alone.
#pragma once

#include <filesystem>

#include "config/spec.hpp"

namespace sluice::data {

// Makes `folder` with the caches on disk of the pipeline: their files of samples are links. A cache appends to files of
// its own only, does not shorten or mark files that are links, and removing a link does not remove the file. Links
// nothing if there are no such caches yet.
void link_caches(const config::PipelineSpec& spec, const std::filesystem::path& folder);

}  // namespace sluice::data
