// What Linux says of the CPU.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace sluice::sdk {

// The text behind the colon of the first line of /proc/cpuinfo that begins with `key`; empty where there is none.
inline std::string cpu_info(std::string_view key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with(key) && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

// "AMD EPYC 9655P", or "CPU" where the kernel does not name it.
inline std::string cpu_name() {
    const std::string name = cpu_info("model name");
    return name.empty() ? "CPU" : name;
}

}  // namespace sluice::sdk
