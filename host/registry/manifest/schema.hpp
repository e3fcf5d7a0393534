// The schema of a component's options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value.hpp"

namespace sluice::registry {

struct OptionSchema {
    enum class Type { boolean, integer, number, string };
    std::string name;
    Type type = Type::string;
    bool is_array = false;
    std::int64_t array_size = 0;  // 0: any
    bool required = false;
    std::optional<Value> default_value;
    std::optional<double> min;
    std::optional<double> max;
    std::vector<Value> choices;
    std::string unit;
    std::string help;
    std::string since;  // version that added the option, whose default then keeps the old behaviour; empty: the first
};

using Schema = std::vector<OptionSchema>;

}  // namespace sluice::registry
