#include "registry/optional/usage.hpp"

#include "registry/objects/device_call.hpp"

namespace sluice::registry {

sluice_usage_figures read_usage(const Device& device) {
    const Component& component = device.object().component();
    if (device.usage() == nullptr) {
        throw Error(Exit::device, fmt::format("{} does not report its usage", name_of_device(component)));
    }
    sluice_usage_figures figures{};
    figures.struct_size = sizeof(figures);
    figures.busy_share = figures.used_bytes = figures.power_watts = figures.celsius = figures.clock_hertz = -1.0;
    call_device(component, "cannot report its usage", device.usage()->read, device.object().self(), &figures);
    figures.limit[sizeof(figures.limit) - 1] = '\0';
    return figures;
}

std::uint64_t free_memory(const Device& device) {
    sluice_device_info info{};
    info.struct_size = sizeof(info);
    call_device(device.object().component(), "cannot be described", device.object().table()->info,
                device.object().self(), &info);
    return info.free_bytes;
}

}  // namespace sluice::registry
