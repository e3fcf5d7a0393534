// Name of the plugin function that runs on this thread, for messages. The handler of a signal reads it.
#pragma once

namespace sluice::call_checks {

inline constexpr const char* kNoFunction = "code outside of any call";
// The text is never freed.
inline constinit thread_local const char* running_function = kNoFunction;

}  // namespace sluice::call_checks
