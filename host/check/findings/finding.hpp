// One result of a check.
#pragma once

#include <string>

namespace sluice::check {

// crashed: the process crashed, exited, or was killed because it hung. warned: no rule is broken, but the plugin's
// author should know.
enum class Result { passed, failed, skipped, crashed, warned };

struct Finding {
    Result result = Result::passed;
    std::string component;  // kernel check: layer type, "conv2d"; contract case: component, "photos"
    std::string provider;   // kernel check: "onednn"; contract case: kind of the component, "source"
    // Kernel check: "case 2 ([1, 6, 7, 3] float32; filters = 2), train, float32"; contract case: name of the case.
    std::string place;
    std::string reason;                    // why it did not pass: quantity, largest difference, place
    double seconds = 0.0;                  // contract cases only
    bool skipped_by_earlier_case = false;  // skipped because of the result of an earlier case
    bool lacked_threads = false;           // skipped because a thread or a process could not be started
};

[[nodiscard]] constexpr const char* word(Result result) {
    constexpr const char* kWords[] = {"passed", "failed", "skipped", "crashed", "warned"};
    return kWords[static_cast<int>(result)];
}

// True for results that make `host check` exit with a code other than 0.
[[nodiscard]] constexpr bool is_fault(Result result) { return result == Result::failed || result == Result::crashed; }

}  // namespace sluice::check
