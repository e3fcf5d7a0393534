// A case for every kind: the plugin's own allocations fail, one after the other.
#include <fmt/format.h>

#include <chrono>

#include "base/error.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/plugin_allocations.hpp"

namespace sluice::check {
namespace {

// Makes an object, uses it once and returns the result. A strategy is only made, not used: if one replica failed, the
// others would wait for it.
std::string use_once(Trial& trial) {
    const auto object = trial.make();
    return trial.manifest().kind == registry::Kind::strategy ? std::string() : object->use();
}

// Expects SLUICE_NO_MEMORY or the result `usual`. `which` names the failing allocation in messages.
void use_while_one_fails(Trial& trial, const std::string& which, const std::string& usual) {
    std::string found;
    try {
        found = use_once(trial);
    } catch (const CaseSkipped&) {
        return;  // a device that reports SLUICE_NO_MEMORY
    } catch (const Error& error) {
        if (error.exit() != Exit::device) {
            trial.warn(fmt::format("when {} fails, the call returns a status other than SLUICE_NO_MEMORY: {}", which,
                                   error.what()));
        }
        return;
    }
    // A run continues if an observer could not record an event.
    expect(found == usual || trial.manifest().kind == registry::Kind::observer,
           fmt::format("when {} fails, the call succeeds, but with another result", which));
}

}  // namespace

void survives_failing_allocations(Trial& trial) {
    const std::string usual = use_once(trial);
    const PluginAllocations allocations(trial.component().entry);  // in the plugin even if calls are checked
    use_once(trial);
    const std::size_t all = PluginAllocations::count();
    if (all == 0) {
        throw CaseSkipped("the plugin itself allocates no memory in this case");
    }
    constexpr std::size_t kMost = 200;
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t stride = (all + kMost - 1) / kMost;
    std::size_t failed = 0;
    for (std::size_t number = 0; number < all && std::chrono::steady_clock::now() - begin < trial.limit() / 4;
         number += stride) {
        const std::string which = fmt::format("allocation {} of {}", number + 1, all);
        trial.doing(which + " fails");
        PluginAllocations::fail_after(number);
        use_while_one_fails(trial, which, usual);
        PluginAllocations::fail_none();
        ++failed;
    }
    expect(use_once(trial) == usual, "the result differs after an allocation has failed");
    trial.note(fmt::format("{} of {} allocations were made to fail", failed, all));
}

}  // namespace sluice::check
