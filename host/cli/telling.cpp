#include "cli/telling.hpp"

#include "base/log.hpp"
#include "launch/member.hpp"
#include "run/agreement.hpp"

namespace sluice::cli {

void tell(const std::string& error) {
    launch::Member* const member = launch::member();
    if (member == nullptr || !member->hand_over(error)) {
        log::error(error);
    }
}

void fail_as_one(const registry::Processes& processes, const std::function<void()>& what) {
    try {
        what();
    } catch (const run::Disagreement& error) {
        if (processes.is_first()) {
            tell(error.what());
        }
        // A launcher may end all when the first has ended: not before it is told.
        try {
            static_cast<void>(run::asks_any(processes, false, "why they end"));
        } catch (const Error&) {  // another has ended already, which it does not before either
        }
        throw Told(error.exit(), error.what());
    }
}

}  // namespace sluice::cli
