#include "registry/loading/services.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/control.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "registry/loading/fault_guard.hpp"
#include "registry/loading/log_subject.hpp"

namespace sluice::registry {
namespace {

// The numbers of the ABI and of log::Level agree.
static_assert(SLUICE_LOG_DEBUG == static_cast<int>(log::Level::debug));
static_assert(SLUICE_LOG_ERROR == static_cast<int>(log::Level::error));

std::uint32_t log_level(const sluice_host*) noexcept { return static_cast<std::uint32_t>(log::level()); }

void log_write(const sluice_host* host, std::uint32_t level, sluice_text message) noexcept {
    constexpr std::uint64_t kLongest = 1 << 16;  // a longer text is cut: its length is probably damaged
    try {
        const auto& plugin = *static_cast<const PluginHost*>(host->impl);
        const std::string_view text =
            message.ptr == nullptr ? "" : std::string_view(message.ptr, std::min(message.len, kLongest));
        const std::uint32_t known = std::min<std::uint32_t>(level, SLUICE_LOG_ERROR);
        const std::string_view subject = LogSubject::current();
        const std::string of = subject.empty() ? "" : fmt::format(" [{}]", subject);
        log::write(static_cast<log::Level>(known), fmt::format("[{}] {}{}", plugin.plugin_id(), shown(text), of));
    } catch (const std::exception&) {
        // A line that cannot be written must not end the plugin's call.
    }
}

constexpr sluice_log kLog = {log_level, log_write};

std::uint32_t machine_cores(const sluice_host*) noexcept {
    try {
        return static_cast<std::uint32_t>(usable_cores());
    } catch (const std::exception&) {
        return 1;  // no memory left to read the files of /proc and cgroups
    }
}

std::uint64_t machine_memory(const sluice_host*) noexcept {
    try {
        return available_memory();
    } catch (const std::exception&) {
        return 0;
    }
}

constexpr sluice_machine kMachine = {machine_cores, machine_memory};

}  // namespace

const void* get_service(const sluice_host*, const char* id) noexcept {
    const std::string_view wanted = id == nullptr ? "" : id;
    if (wanted == SLUICE_FAULT_GUARD_V1) {
        return fault_guard();
    }
    constexpr std::array<std::pair<std::string_view, const void*>, 2> services{
        {{SLUICE_LOG_V1, &kLog}, {SLUICE_MACHINE_V1, &kMachine}}};
    const auto* found = std::ranges::find(services, wanted, &std::pair<std::string_view, const void*>::first);
    return found == services.end() ? nullptr : found->second;
}

PluginHost::PluginHost(std::string plugin_id, const void* (*serve)(const sluice_host*, const char*) noexcept)
    : plugin_id_(std::move(plugin_id)), abi_{SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, this, serve} {}

}  // namespace sluice::registry
