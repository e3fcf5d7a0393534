#include "diagnose/trial/process_stat.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

namespace sluice::diagnose {
namespace {

// Nothing if the process is gone.
std::optional<ProcessStat> read_stat(const std::filesystem::path& process) {
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::ifstream in(process / "stat");
    std::string text;
    std::getline(in, text);
    // The name may contain spaces and parentheses.
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos) {
        return std::nullopt;
    }
    std::istringstream fields(text.substr(close + 1));
    ProcessStat stat{.name = text.substr(open + 1, close - open - 1)};
    std::string skipped;
    fields >> skipped >> skipped >> skipped >> stat.session;
    constexpr int kFieldsBetween = 7;
    for (int i = 0; i < kFieldsBetween; ++i) {
        fields >> skipped;
    }
    double user = 0.0;
    double system = 0.0;
    fields >> user >> system;
    stat.seconds = (user + system) / ticks;
    return fields ? std::optional(stat) : std::nullopt;
}

}  // namespace

double own_seconds(pid_t session, bool has_several) {
    double seconds = 0.0;
    if (!has_several) {
        for (const pid_t process : {::getpid(), session}) {
            const auto stat = read_stat(std::filesystem::path("/proc") / std::to_string(process));
            seconds += stat ? stat->seconds : 0.0;
        }
        return seconds;
    }
    for (const auto& [id, stat] : all_processes()) {
        seconds += stat.session == session || id == ::getpid() ? stat.seconds : 0.0;
    }
    return seconds;
}

std::map<pid_t, ProcessStat> all_processes() {
    std::map<pid_t, ProcessStat> all;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename().string();
        pid_t process = 0;
        std::from_chars(name.data(), name.data() + name.size(), process);
        if (process > 0) {
            if (auto stat = read_stat(entry.path())) {
                all.emplace(process, std::move(*stat));
            }
        }
    }
    return all;
}

}  // namespace sluice::diagnose
