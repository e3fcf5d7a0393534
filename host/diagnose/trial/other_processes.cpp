#include "diagnose/trial/other_processes.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/clock.hpp"

namespace sluice::diagnose {

OtherProcesses::OtherProcesses() : before_(all_processes()), began_(now()) {}

std::vector<OtherProcess> OtherProcesses::found(const std::vector<pid_t>& own) const {
    constexpr double kLeastCores = 0.05;
    const double seconds = std::max(now() - began_, 1e-3);
    std::vector<OtherProcess> found;
    for (const auto& [id, stat] : all_processes()) {
        const auto before = before_.find(id);
        const double cores = (stat.seconds - (before != before_.end() ? before->second.seconds : 0.0)) / seconds;
        const bool is_own = id == ::getpid() || std::ranges::find(own, stat.session) != own.end();
        if (!is_own && cores >= kLeastCores) {
            found.push_back({.name = stat.name, .id = id, .cores = cores});
        }
    }
    std::ranges::sort(found, std::ranges::greater{}, &OtherProcess::cores);
    return found;
}

}  // namespace sluice::diagnose
