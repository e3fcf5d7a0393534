#include "call_checks/checks.hpp"

#include "call_checks/checked_component.hpp"
#include "call_checks/lent_memory.hpp"
#include "call_checks/services.hpp"

namespace sluice::call_checks {
namespace {

std::unique_ptr<registry::CallCheck> make_check(const registry::ComponentManifest& manifest,
                                                const registry::PluginManifest& plugin, const sluice_host& host) {
    return std::make_unique<CheckedComponent>(manifest, plugin, host);
}

}  // namespace

const registry::CallChecks kChecks = {make_check, LentMemory::watch_signal, get_service};

}  // namespace sluice::call_checks
