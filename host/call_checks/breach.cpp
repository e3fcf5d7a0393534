#include "call_checks/breach.hpp"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

namespace sluice::call_checks {
namespace {

std::mutex breach_guard;
std::atomic<int> code = 0;

std::deque<Breach>& noted() {
    static std::deque<Breach> breaches;
    return breaches;
}

}  // namespace

Breach describe_breach(const CalledComponent* component, Rule rule, const char* function, const std::string& object,
                       const std::string& seen) {
    const RuleText& text = text_of(rule);
    std::string who;
    std::string of;
    if (component != nullptr) {
        const registry::ComponentManifest& manifest = *component->manifest;
        who = fmt::format("plugin {} {}", component->plugin->id, component->plugin->version);
        of = fmt::format(" of {} '{}' ({})", to_string(manifest.kind), manifest.provides, manifest.id);
    }
    if (!object.empty()) {
        of += fmt::format(", {},", object);
    }
    const std::string blame = text.is_hosts
                                  ? fmt::format("a defect of Sluice{}", component == nullptr ? "" : ", not of " + who)
                                  : who + " misbehaves";
    return {rule, fmt::format("{}: {}(){} {}; rule {}: {}", blame, function, of, seen, text.name, text.requirement)};
}

void note(Breach breach) {
    constexpr std::size_t kMost = 100;  // limits memory: a rule may be broken in every call
    const std::lock_guard lock(breach_guard);
    if (code == 0) {
        code = static_cast<int>(exit_of(breach.rule));
    }
    if (noted().size() < kMost) {
        noted().push_back(std::move(breach));
    }
}

std::optional<Breach> take_noted() {
    const std::lock_guard lock(breach_guard);
    if (noted().empty()) {
        return std::nullopt;
    }
    Breach first = std::move(noted().front());
    noted().pop_front();
    return first;
}

int exit_code() { return code; }

// A rule that the host broke is a defect of Sluice and gets the exit code of unexpected errors.
Exit exit_of(Rule rule) { return text_of(rule).is_hosts ? Exit{1} : Exit::plugin; }

}  // namespace sluice::call_checks
