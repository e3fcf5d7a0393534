#include "checked/checks.hpp"

#include "checked/lent_memory.hpp"
#include "checked/services.hpp"
#include "checked/watch.hpp"

namespace sluice::registry::checked {
namespace {

std::unique_ptr<CallCheck> make_check(const ComponentManifest& manifest, const PluginManifest& plugin,
                                      const sluice_host& host) {
    return std::make_unique<Watch>(manifest, plugin, host);
}

}  // namespace

const CallChecks kChecks = {make_check, LentMemory::watch_signal, get_service};

}  // namespace sluice::registry::checked
