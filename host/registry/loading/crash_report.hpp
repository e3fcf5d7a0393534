// Crash reports. If a plugin terminates the process by exit(), _exit(), abort(), an uncaught exception or a crash,
// they name the plugin, the component and the function on stderr and in the log file. Outside of any plugin call they
// name the plugin whose code ran, or which called it.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace sluice::registry {

// The name of the rule that the reports state. call_checks has all other rules.
inline constexpr std::string_view kEndsRule = "process.ends";

// Installs the handlers, for this process only: forked children behave as without them. exit() inside a plugin call
// becomes exit code 6. After the report of a signal the previous handler runs.
void install_crash_handlers();
// True in the process that called install_crash_handlers(), until expect_exit(). Async-signal-safe.
bool is_watched();
// Registers the exit handler again. Call it before a plugin is loaded: atexit() handlers run in reverse order, so this
// one runs before those registered earlier.
void register_exit_handler();
// Reports that the code at `caller` has called libc's `function`, such as "exit", and returns the exit code to use.
// The report names the plugin that called it, by itself or through a library, or says that the OpenMP runtime lacks
// threads. Returns nothing if it was neither. In a forked child it reports nothing, and returns a code only for the
// OpenMP runtime. Async-signal-safe if the code is a plugin's.
std::optional<Exit> report_exit(std::string_view function, const void* caller);
// Call this before the process exits normally: exit() is then no longer reported. Crashes still are, such as those in
// destructors of a plugin's static objects.
void expect_exit();

}  // namespace sluice::registry
