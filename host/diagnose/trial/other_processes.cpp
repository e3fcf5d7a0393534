#include "diagnose/trial/other_processes.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/clock.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kLeastCores = 0.05;

}  // namespace

OtherProcesses::OtherProcesses(pid_t own) : own_(own), before_(read()), began_(now()) {}

std::map<std::int64_t, OtherProcesses::Used> OtherProcesses::read() const {
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::map<std::int64_t, Used> all;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename().string();
        std::int64_t id = 0;
        std::from_chars(name.data(), name.data() + name.size(), id);
        std::ifstream in(entry.path() / "stat");
        std::string text;
        if (id == 0 || id == ::getpid() || !std::getline(in, text)) {
            continue;
        }
        const std::size_t open = text.find('(');
        const std::size_t close = text.rfind(')');
        if (open == std::string::npos || close == std::string::npos) {
            continue;
        }
        std::istringstream fields(text.substr(close + 1));
        std::string skipped;
        pid_t session = 0;
        double user = 0.0;
        double system = 0.0;
        fields >> skipped >> skipped >> skipped >> session;
        constexpr int kFieldsBetween = 7;
        for (int i = 0; i < kFieldsBetween; ++i) {
            fields >> skipped;
        }
        fields >> user >> system;
        if (fields && session != own_) {
            all[id] = {.name = text.substr(open + 1, close - open - 1), .seconds = (user + system) / ticks};
        }
    }
    return all;
}

std::vector<OtherProcess> OtherProcesses::found() const {
    const double seconds = std::max(now() - began_, 1e-3);
    std::vector<OtherProcess> found;
    for (const auto& [id, used] : read()) {
        const auto before = before_.find(id);
        const double cores = (used.seconds - (before != before_.end() ? before->second.seconds : 0.0)) / seconds;
        if (cores >= kLeastCores) {
            found.push_back({.name = used.name, .id = id, .cores = cores});
        }
    }
    std::ranges::sort(found, std::ranges::greater{}, &OtherProcess::cores);
    return found;
}

}  // namespace sluice::diagnose
