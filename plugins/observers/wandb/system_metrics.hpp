// The usage of the machine under the names and in the units that W&B's viewers know.
#pragma once

#include <cstdint>

#include "series/mean_series.hpp"

namespace sluice::observers::wandb {

// usage: a column of usage.csv and its value. A column that W&B lacks keeps its name. cores: usable by the process.
SeriesValue system_metric(const SeriesValue& usage, std::uint32_t cores);

}  // namespace sluice::observers::wandb
