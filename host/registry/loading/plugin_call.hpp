// The plugin call that a thread is in, for crash reports (crash_report.hpp). Tracking costs one load and two stores of
// thread-local memory, so every call of a plugin table goes through enter().
#pragma once

#include <type_traits>
#include <utility>

#include "registry/loading/component.hpp"

namespace sluice::registry {

struct PluginCall {
    using Function = void (*)();

    const PluginManifest* plugin = nullptr;
    const Component* component = nullptr;  // null: a call of the plugin itself, such as open()
    Function function = nullptr;           // a function of one of the component's tables
    const char* name = nullptr;            // set instead of `function` if it is in no table
};

// The innermost call of this thread. Threads that run a part of a call share it. A signal handler reads it.
inline constinit thread_local const PluginCall* plugin_call = nullptr;

// True if watch_thread() was called on this thread.
inline constinit thread_local bool is_thread_watched = false;
void watch_thread();

// Makes `call` this thread's call and returns the previous one.
inline const PluginCall* begin_call(const PluginCall* call) {
    if (!is_thread_watched) {
        watch_thread();
    }
    return std::exchange(plugin_call, call);
}

// Runs `function` as `call`. An exception that leaves it terminates the process, as the ABI states.
template <class R, class... Params>
R enter_call(const PluginCall& call, R (*function)(Params...), std::type_identity_t<Params>... args) noexcept {
    const PluginCall* const outer = begin_call(&call);
    if constexpr (std::is_void_v<R>) {
        function(args...);
        plugin_call = outer;
    } else {
        const R result = function(args...);
        plugin_call = outer;
        return result;
    }
}

template <class R, class... Params>
R enter(const Component& component, R (*function)(Params...), std::type_identity_t<Params>... args) noexcept {
    const PluginCall call{component.plugin, &component, reinterpret_cast<PluginCall::Function>(function), nullptr};
    return enter_call(call, function, args...);
}

}  // namespace sluice::registry
