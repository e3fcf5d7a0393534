// The CPU as Linux describes it.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace sluice::sdk {

// Returns the text after the colon of the first line of /proc/cpuinfo that begins with `key`; empty if there is none.
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

// Returns a name such as "AMD EPYC 9655P", or "CPU" if the kernel does not name it.
inline std::string cpu_name() {
    const std::string name = cpu_info("model name");
    return name.empty() ? "CPU" : name;
}

}  // namespace sluice::sdk
