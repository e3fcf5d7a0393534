// One result of a check.
#pragma once

#include <string>

namespace sluice::check {

// crashed: its process ended, or was ended because it hung. warned: no rule is broken, but its author should know.
enum class Result { passed, failed, skipped, crashed, warned };

struct Finding {
    Result result = Result::passed;
    std::string component;  // layer type: "conv2d"; of a case of the contract the component: "photos"
    std::string provider;   // "onednn"; of a case of the contract the component's kind: "source"
    std::string
        place;  // "case 2 ([1, 6, 7, 3] float32; filters = 2), train, float32"; the name of a case of the contract
    std::string reason;          // why it did not pass: quantity, largest difference, where
    double seconds = 0.0;        // of a case of the contract
    bool is_of_another = false;  // skipped, because a case before it has shown that nothing more can be said
};

[[nodiscard]] constexpr const char* word(Result result) {
    constexpr const char* kWords[] = {"passed", "failed", "skipped", "crashed", "warned"};
    return kWords[static_cast<int>(result)];
}

// What ends `host check` with an exit code other than 0.
[[nodiscard]] constexpr bool is_fault(Result result) { return result == Result::failed || result == Result::crashed; }

}  // namespace sluice::check
