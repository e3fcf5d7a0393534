#include "observe/usage/device_meter.hpp"

#include <string_view>
#include <unordered_set>

#include "base/error.hpp"
#include "registry/optional/usage.hpp"

namespace sluice::observe {

std::vector<UsageReader> usage_readers(const std::vector<std::shared_ptr<const registry::Device>>& devices) {
    std::vector<UsageReader> readers;
    std::unordered_set<const registry::Device*> seen;
    for (const std::shared_ptr<const registry::Device>& device : devices) {
        if (device == nullptr || device->usage() == nullptr || !seen.insert(device.get()).second) {
            continue;
        }
        UsageReader reader = [device]() -> std::optional<sluice_usage_figures> {
            try {
                return registry::read_usage(*device);
            } catch (const Error&) {
                return std::nullopt;  // a device may serve the interface, but find no library that knows the figures
            }
        };
        if (reader()) {
            readers.push_back(std::move(reader));
        }
    }
    return readers;
}

void set_device_columns(const sluice_usage_figures& figures, std::size_t device, Row& row) {
    const auto set = [&](std::size_t place, double value) {
        if (value >= 0.0) {
            row[column::kOfDevices + device * device_column::kCount + place] = value;
        }
    };
    set(device_column::kBusy, figures.busy_share);
    set(device_column::kMemoryBytes, figures.used_bytes);
    set(device_column::kWatts, figures.power_watts);
    set(device_column::kCelsius, figures.celsius);
    set(device_column::kClockHertz, figures.clock_hertz);
    if (figures.clock_hertz >= 0.0) {  // the limit of an unknown clock is not known either
        const std::string_view limit(static_cast<const char*>(figures.limit));
        set(device_column::kLimitedPower, limit == "power" ? 1.0 : 0.0);
        set(device_column::kLimitedHeat, limit == "heat" ? 1.0 : 0.0);
        set(device_column::kLimitedOther, limit.empty() || limit == "power" || limit == "heat" ? 0.0 : 1.0);
    }
}

}  // namespace sluice::observe
