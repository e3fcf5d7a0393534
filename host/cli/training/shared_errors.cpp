#include "cli/training/shared_errors.hpp"

#include <new>
#include <optional>
#include <string>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/peer_exit.hpp"
#include "cli/terminal/error_report.hpp"
#include "launch/launcher_connection.hpp"
#include "run/membership/agreement.hpp"

namespace sluice::cli {
namespace {

// Returns the exit code of the process that failed, if `error` is that it is lost and the launcher knows the code.
std::optional<Exit> peer_exit_by_launcher(const Error& error) {
    launch::LauncherConnection* const launcher = launch::own_connection();
    return error.exit() == Exit::replica_lost && launcher != nullptr ? launcher->peer_exit() : std::nullopt;
}

}  // namespace

void fail_together(const registry::Processes& processes, const std::function<void()>& what) {
    try {
        what();
    } catch (const run::Disagreement& error) {
        if (processes.is_first()) {
            report_error(error.what());
        }
        // A launcher may stop all processes once the first has exited, so all wait here until the error is reported.
        try {
            static_cast<void>(run::asks_any(processes, false, "error reports of all processes"));
        } catch (const Error&) {  // another process has exited, which it also does only after the report
        }
        throw ReportedError(error.exit(), error.what());
    }
}

void start_together(const run::TrainingReplicas& replicas, const std::function<void()>& what) {
    const auto leave_first = [&](Exit exit, const std::string& why) {
        report_error(why);  // before the others exit, since mpirun then stops this process too
        replicas.give_up(peer_exit_text(exit));
        throw ReportedError(exit, why);
    };
    const bool is_alone = replicas.processes().count() == 1;
    try {
        fail_together(replicas.processes(), what);
    } catch (const ReportedError&) {
        throw;
    } catch (const PeerFailed& error) {
        throw ReportedError(error.peer(), error.what());
    } catch (const Error& error) {
        if (is_alone) {
            throw;
        }
        if (const std::optional<Exit> peer = peer_exit_by_launcher(error)) {
            throw ReportedError(*peer, error.what());
        }
        if (error.exit() == Exit::replica_lost) {
            throw;
        }
        leave_first(error.exit(), error.what());
    } catch (const std::bad_alloc& failure) {
        if (is_alone) {
            throw;
        }
        leave_first(Exit::device, out_of_memory_text(failure));
    }
}

}  // namespace sluice::cli
