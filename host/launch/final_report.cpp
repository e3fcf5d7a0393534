#include "launch/final_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"

namespace sluice::launch {

void log_errors(const Processes& processes, bool was_mpirun_killed) {
    std::set<std::string_view> logged{"", was_mpirun_killed ? std::string_view() : processes[0].error};
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (logged.insert(processes[i].error).second) {
            log::error(fmt::format("process {} on {}: {}", i, processes[i].host, processes[i].error));
        }
    }
}

void log_last_checkpoint(const Processes& processes, const std::string& file, bool is_any_lost) {
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (processes[i].error.find(file) != std::string::npos) {
            return;
        }
    }
    if (!std::filesystem::exists(file)) {
        return;
    }
    if (is_any_lost) {
        log::error(fmt::format("the last checkpoint is {}", file));
    } else {
        log::info(fmt::format("the processes were asked to stop; the last checkpoint is {}", file));
    }
}

int log_why_not_started(const Mpirun::End& end, bool has_any_joined, std::size_t processes, const std::string& hosts) {
    const bool says_why = !has_any_joined && end.code != 0;
    log::error(fmt::format("{} before {} of the {} processes joined{}{}", end.text(), has_any_joined ? "all" : "any",
                           processes, hosts, says_why ? "; see its output above" : ""));
    return static_cast<int>(says_why ? Exit::config : Exit::replica_lost);
}

}  // namespace sluice::launch
