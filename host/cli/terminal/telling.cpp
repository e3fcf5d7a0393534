#include "cli/terminal/telling.hpp"

#include <fmt/format.h>

#include <charconv>
#include <new>
#include <optional>
#include <string_view>

#include "base/log.hpp"
#include "launch/channel.hpp"
#include "launch/member.hpp"
#include "run/membership/agreement.hpp"

namespace sluice::cli {
namespace {

// The exit code of another process that has told its error, where this is what its end has led to here.
std::optional<Exit> told_by_another(const Error& error) {
    const std::string_view text = error.what();
    const std::size_t at = text.find(launch::kHasLeft);
    int code = 0;
    if (error.exit() != Exit::worker_lost || at == std::string_view::npos ||
        std::from_chars(text.data() + at + launch::kHasLeft.size(), text.data() + text.size(), code).ec !=
            std::errc()) {
        return std::nullopt;
    }
    return static_cast<Exit>(code);
}

}  // namespace

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

void start_as_one(const run::TrainingReplicas& replicas, const std::function<void()>& what) {
    const auto leave_first = [&](Exit exit, const std::string& why) {
        tell(why);  // before the others end: mpirun then ends this one, too
        replicas.give_up(fmt::format("it {}{}", launch::kHasLeft, static_cast<int>(exit)));
        throw Told(exit, why);
    };
    const bool is_alone = replicas.processes().count() == 1;
    try {
        what();
    } catch (const Told&) {
        throw;
    } catch (const Error& error) {
        if (const auto exit = told_by_another(error)) {
            throw Told(*exit, error.what());
        }
        if (is_alone || error.exit() == Exit::worker_lost) {
            throw;
        }
        leave_first(error.exit(), error.what());
    } catch (const std::bad_alloc&) {
        if (is_alone) {
            throw;
        }
        leave_first(Exit::device, "out of memory");
    }
}

}  // namespace sluice::cli
