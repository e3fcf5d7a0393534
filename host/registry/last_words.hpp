// What is said where a plugin ends the process inside a call: by exit(), _exit(), abort(), an exception that nobody
// catches or a crash. It names the plugin, the component and the function, on stderr and in the log's file. Of a crash
// or _exit() outside of all calls it names the plugin whose code it is in.
#pragma once

namespace sluice::registry {

// From here on, for this process alone: children that are forked from it end as if nobody watched. exit() inside a call
// becomes exit code 6; of signals what comes behind the words is left to whoever handled them before.
void watch_for_the_end();
// Whether this process is the one that it was called in, and its end is not expected yet. Async-signal-safe.
bool is_watched();
// Once more before a plugin is loaded: of what is given to atexit(), ours is then called before what was given earlier.
void watch_for_exit();
// With which code _exit(status) ends the process that is called from there: where that is a plugin's code it is told
// of, and becomes exit code 6. Async-signal-safe.
int code_of_sudden_exit(int status, const void* caller);
// The process ends on its own now: exit() is no longer a plugin's.
void expect_the_end();

}  // namespace sluice::registry
