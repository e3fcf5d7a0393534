#include "cli/training/environment_json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "base/machine.hpp"

namespace sluice::cli {

std::string environment_json(std::uint32_t processes, std::uint32_t replicas) {
    utsname system{};
    ::uname(&system);
    nlohmann::ordered_json json;
    json["sluice"] = SLUICE_VERSION;
    json["compiler"] = fmt::format("{} {}", SLUICE_COMPILER, __VERSION__);
    json["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
    json["host_name"] = system.nodename;
    json["usable_cores"] = usable_cores();
    json["available_memory_bytes"] = available_memory();
    json["processes"] = processes;
    json["replicas"] = replicas;
    json["started"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return json.dump(2) + "\n";
}

}  // namespace sluice::cli
