// What is said where a plugin ends the process inside a call: by exit(), _exit(), abort(), an exception that nobody
// catches or a crash. It names the plugin, the component and the function, on stderr and in the log's file. Of what
// happens outside of all calls it names the plugin whose code it is in, or that has called the code.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace sluice::registry {

// From here on, for this process alone: children that are forked from it end as if nobody watched. exit() inside a call
// becomes exit code 6; of signals what comes behind the words is left to whoever handled them before.
void watch_for_the_end();
// Whether this process is the one that it was called in, and its end is not expected yet. Async-signal-safe.
bool is_watched();
// Once more before a plugin is loaded: of what is given to atexit(), ours is then called before what was given earlier.
void watch_for_exit();
// Of a call of libc's `function`, "exit" or one that ends the process as well, by the code at `caller`: names the
// plugin which has called it, by itself or by a library, or says that the OpenMP runtime lacks threads, and returns the
// exit code. Nothing: it was neither. Async-signal-safe if the code is a plugin's.
std::optional<Exit> tell_of_exit(std::string_view function, const void* caller);
// The process ends on its own now: exit() is no longer a plugin's. A crash still is, as of its static objects.
void expect_the_end();

}  // namespace sluice::registry
