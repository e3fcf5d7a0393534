// Every kind: what a plugin does where its own allocations fail, one after the other.
#include <fmt/format.h>

#include <chrono>

#include "base/error.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/plugin_allocations.hpp"

namespace sluice::check {
namespace {

// What comes of an object and its use. Of a strategy the object alone: where one replica fails, the others wait for it.
std::string use_once(Trial& trial) {
    const auto object = trial.make();
    return trial.manifest().kind == registry::Kind::strategy ? std::string() : object->use();
}

// which: of the allocations, for messages.
void use_while_one_fails(Trial& trial, const std::string& which, const std::string& usual) {
    std::string found;
    try {
        found = use_once(trial);
    } catch (const NotShown&) {
        return;  // of a device, as SLUICE_NO_MEMORY is
    } catch (const Error& error) {
        if (error.exit() != Exit::device) {
            trial.warn(fmt::format("where {} fails, the call ends with another status than SLUICE_NO_MEMORY: {}", which,
                                   error.what()));
        }
        return;
    }
    // What an observer could not write down is no error of the run.
    expect(found == usual || trial.manifest().kind == registry::Kind::observer,
           fmt::format("where {} fails, it succeeds with something else than usual", which));
}

}  // namespace

void survives_failing_allocations(Trial& trial) {
    const std::string usual = use_once(trial);
    const PluginAllocations allocations(trial.component().entry);  // of the plugin, also where calls are checked
    use_once(trial);
    const std::size_t all = PluginAllocations::count();
    if (all == 0) {
        throw NotShown("it asks for no memory itself in what is done here");
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
    expect(use_once(trial) == usual, "it gives something else after an allocation has failed");
    trial.note(fmt::format("{} of {} allocations", failed, all));
}

}  // namespace sluice::check
