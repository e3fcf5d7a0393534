#include "call_checks/services.hpp"

#include <fmt/format.h>

#include <string_view>

#include "call_checks/checked_call.hpp"
#include "registry/loading/services.hpp"
#include "sluice/fault_guard.h"

namespace sluice::call_checks {
namespace {

void expect_allowed(const char* what) {
    if (CheckedCall* const call = CheckedCall::current(); call != nullptr && CheckedCall::is_in_supports()) {
        call->broken(Rule::host_call, fmt::format("calls the host's {}", what));
    }
}

template <class Table>
const Table& plain(const char* id) {
    return *static_cast<const Table*>(registry::get_service(nullptr, id));
}

constexpr sluice_log kLog = {[](const sluice_host* host) noexcept {
                                 expect_allowed(SLUICE_LOG_V1);
                                 return plain<sluice_log>(SLUICE_LOG_V1).level(host);
                             },
                             [](const sluice_host* host, std::uint32_t level, sluice_text message) noexcept {
                                 expect_allowed(SLUICE_LOG_V1);
                                 plain<sluice_log>(SLUICE_LOG_V1).write(host, level, message);
                             }};

constexpr sluice_machine kMachine = {[](const sluice_host* host) noexcept {
                                         expect_allowed(SLUICE_MACHINE_V1);
                                         return plain<sluice_machine>(SLUICE_MACHINE_V1).usable_cores(host);
                                     },
                                     [](const sluice_host* host) noexcept {
                                         expect_allowed(SLUICE_MACHINE_V1);
                                         return plain<sluice_machine>(SLUICE_MACHINE_V1).available_memory(host);
                                     }};

constexpr sluice_fault_guard kFaultGuard = {
    [](const sluice_host* host, void (*body)(void* context) noexcept, void* context) noexcept {
        expect_allowed(SLUICE_FAULT_GUARD_V1);
        return plain<sluice_fault_guard>(SLUICE_FAULT_GUARD_V1).run(host, body, context);
    }};

}  // namespace

const void* get_service(const sluice_host* host, const char* id) noexcept {
    expect_allowed("get()");
    const void* const service = registry::get_service(host, id);
    const std::string_view wanted = service == nullptr ? "" : id;
    return wanted == SLUICE_LOG_V1           ? &kLog
           : wanted == SLUICE_MACHINE_V1     ? static_cast<const void*>(&kMachine)
           : wanted == SLUICE_FAULT_GUARD_V1 ? &kFaultGuard
                                             : service;
}

}  // namespace sluice::call_checks
