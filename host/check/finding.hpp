// One result of a check.
#pragma once

#include <string>

namespace sluice::check {

enum class Result { passed, failed, skipped };

struct Finding {
    Result result = Result::passed;
    std::string component;  // layer type: "conv2d"
    std::string provider;   // "onednn"
    std::string place;      // "case 2 ([1, 6, 7, 3] float32; filters = 2), train, float32"
    std::string reason;     // why it failed or was skipped: quantity, largest difference, where
};

}  // namespace sluice::check
