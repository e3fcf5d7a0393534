#include "call_checks/checks.hpp"

#include "call_checks/lent_memory.hpp"
#include "call_checks/services.hpp"
#include "call_checks/watch.hpp"

namespace sluice::registry::checked {
namespace {

std::unique_ptr<CallCheck> make_check(const ComponentManifest& manifest, const PluginManifest& plugin,
                                      const sluice_host& host) {
    return std::make_unique<Watch>(manifest, plugin, host);
}

}  // namespace

const CallChecks kChecks = {make_check, LentMemory::watch_signal, get_service};

}  // namespace sluice::registry::checked
