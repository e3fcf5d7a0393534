// Opens the optimizer of a pipeline, and refuses its wrong options.
#pragma once

#include <string>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/optimizer.hpp"

namespace sluice::run {

// Opens the optimizer of the table [optimizer] for this kind of device. Throws Error(Exit::config) for a wrong option.
registry::Optimizer open_optimizer(const config::PipelineSpec& spec, const registry::Registry& registry,
                                   const std::string& device_kind);

}  // namespace sluice::run
