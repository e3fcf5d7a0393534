// The usage of the machine under the names that W&B's viewers know.
#include "wandb/system_metrics.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace sluice::observers::wandb {
namespace {

struct SystemMetric {
    std::string_view column;
    std::string_view name;
    double factor;
};

constexpr double kPerMebibyte = 1.0 / (1 << 20);
constexpr double kPercent = 100.0;

constexpr SystemMetric kOfDevices[] = {
    {"busy", "gpu", kPercent},        {"memory_bytes", "memoryAllocatedBytes", 1.0},
    {"watts", "powerWatts", 1.0},     {"celsius", "temp", 1.0},
    {"clock_hertz", "smClock", 1e-6},
};

}  // namespace

SeriesValue system_metric(const SeriesValue& usage, std::uint32_t cores) {
    if (usage.name == "cpu") {
        return {"cpu", usage.value * kPercent / std::max<std::uint32_t>(cores, 1)};
    }
    if (usage.name == "resident_bytes") {
        return {"proc.memory.rssMB", usage.value * kPerMebibyte};
    }
    const std::string_view name = usage.name;
    const std::size_t split = name.find('_');
    if (name.starts_with("gpu") && split != std::string_view::npos) {
        const std::string_view number = name.substr(3, split - 3);
        const std::string_view column = name.substr(split + 1);
        const auto at = std::find_if(std::begin(kOfDevices), std::end(kOfDevices),
                                     [&](const SystemMetric& metric) { return metric.column == column; });
        if (at != std::end(kOfDevices) && !number.empty() && number.find_first_not_of("0123456789") == number.npos) {
            return {"gpu." + std::string(number) + "." + std::string(at->name), usage.value * at->factor};
        }
    }
    return usage;
}

}  // namespace sluice::observers::wandb
