// Upper limits of what a pipeline may ask for.
#pragma once

#include <cstdint>

namespace sluice::config {

constexpr std::int64_t kMostWorkers = 1024;  // threads that make samples

}  // namespace sluice::config
