// The program finds the command and runs it. Every error is reported here as one line and an exit code.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/nearest.hpp"
#include "call_checks/breach_report.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/error_report.hpp"
#include "cli/terminal/standard_streams.hpp"
#include "launch/launcher_connection.hpp"
#include "registry/loading/crash_report.hpp"
#include "run/network/threads.hpp"

namespace {

using sluice::cli::Arguments;

int dispatch(const Arguments& arguments) {
    if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
        sluice::cli::print_overview();
        return arguments.empty() ? static_cast<int>(sluice::Exit::config) : 0;
    }
    if (arguments.front() == "--version") {
        std::cout << "sluice " << SLUICE_VERSION << "\n";
        return 0;
    }
    if (arguments.front().starts_with("-")) {
        return sluice::cli::train(arguments);
    }
    std::vector<std::string> names;
    for (const auto& command : sluice::cli::commands()) {
        if (arguments.front() == command.name) {
            return command.run({arguments.begin() + 1, arguments.end()});
        }
        names.emplace_back(command.name);
    }
    throw sluice::Error(sluice::Exit::config, fmt::format("unknown command '{}'{}", arguments.front(),
                                                          sluice::suggestion(arguments.front(), names)));
}

// If a replica was lost, only the process that saves the checkpoint reports it.
bool reports_error_here(const sluice::Error& error) {
    sluice::launch::LauncherConnection* const launcher = sluice::launch::own_connection();
    return error.exit() != sluice::Exit::replica_lost || launcher == nullptr || launcher->ask_if_saver();
}

// Returns the exit code.
int report_failed_call(const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
        sluice::cli::report_error(sluice::no_thread_text());
        return static_cast<int>(sluice::Exit::device);
    }
    if (error.code() == std::errc::not_enough_memory) {
        sluice::cli::report_error(fmt::format("out of memory: {}{}", error.what(), sluice::memory_limits_text()));
        return static_cast<int>(sluice::Exit::device);
    }
    sluice::cli::report_error(fmt::format("unexpected: {}", error.what()));
    return 1;
}

// Returns the exit code of the command, or of the error that it threw.
int run(const Arguments& arguments) {
    try {
        return dispatch(arguments);
    } catch (const sluice::cli::ReportedError& error) {
        return static_cast<int>(error.exit());
    } catch (const sluice::Error& error) {
        if (reports_error_here(error)) {
            sluice::cli::report_error(error.what());
        }
        return static_cast<int>(error.exit());
    } catch (const std::bad_alloc& failure) {
        sluice::cli::report_error(sluice::out_of_memory_text(failure));
        return static_cast<int>(sluice::Exit::device);
    } catch (const std::filesystem::filesystem_error& error) {
        if (error.code() == std::errc::not_enough_memory) {
            return report_failed_call(error);
        }
        const std::string file = error.path1().empty() ? "the working folder" : error.path1().string();
        sluice::cli::report_error(
            fmt::format("{}: {}{}", file, error.code().message(), sluice::removed_folder_text(error.path1())));
        return static_cast<int>(sluice::Exit::config);
    } catch (const std::system_error& error) {
        return report_failed_call(error);
    } catch (const std::exception& error) {
        sluice::cli::report_error(fmt::format("unexpected: {}", error.what()));
        return 1;
    }
}

}  // namespace

int main(int count, char** values) {
    sluice::cli::open_standard_streams();
    sluice::registry::install_crash_handlers();
    sluice::run::bound_spinning();
    sluice::allow_many_files();
    try {
        sluice::launch::LauncherConnection* const launcher = sluice::launch::own_connection();
        int code = sluice::cli::finish_output(run({values + 1, values + count}));
        sluice::registry::expect_exit();
        if (const auto breach = sluice::call_checks::unreported_breach()) {
            sluice::log::error(breach->text);
        }
        if (const int broken = sluice::call_checks::exit_code(); broken != 0) {
            code = broken;
        }
        if (launcher != nullptr) {
            launcher->leave(code);
        }
        return code;
    } catch (const sluice::Error& error) {
        sluice::registry::expect_exit();
        sluice::log::error(error.what());
        return static_cast<int>(error.exit());
    }
}
