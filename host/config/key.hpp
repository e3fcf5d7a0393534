// A key that a pipeline file may have, as described by the code that reads it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/value.hpp"

namespace sluice::config {

struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above_min = false;  // min itself is outside
};

struct Key {
    enum class Kind {
        any,    // not described yet; a later description replaces it
        table,  // its keys are described separately
        array,  // its elements are described under "0"
        boolean,
        integer,
        number,
        text,
        choice,      // one of `names`
        size,        // "2 GiB"
        share,       // a number from 0 to 1, or "5 %"
        length,      // "200 steps"
        component,   // a table with `use` or `type`, and the options of that component
        components,  // one component or an array of them, each a table or a name
        sources      // one source or an array of them, each a table
    };
    Kind kind = Kind::any;
    Range range{};
    std::vector<std::string> names{};
    bool may_be_auto = false;
    bool is_needed = false;
    std::optional<Value> fallback{};
    std::string path{};  // "train.epochs"
};

using KeyListener = std::function<void(const Key&)>;

}  // namespace sluice::config
