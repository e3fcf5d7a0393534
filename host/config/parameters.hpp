// Parameters of a block or model: names with default values, which give the types, and the arguments of one use.
#pragma once

#include "config/table_reader.hpp"

namespace sluice::config {

class Parameters {
public:
    // Reads the key `parameters` of the table of a block or of [model]. A value is the default; `{ type = "integer" }`
    // is a parameter that each use must give. `reserved` are the keys that uses have beside the arguments.
    static Parameters read(TableReader& table, std::span<const std::string> reserved);

    // Reads the arguments of one use from a table that has them among its other keys. Adds defaults. `owner` names the
    // block in messages.
    [[nodiscard]] Table arguments(TableReader& use, const std::string& owner) const;
    // Returns the defaults; nullopt if a parameter has none.
    [[nodiscard]] std::optional<Table> defaults() const;

    [[nodiscard]] bool empty() const { return parameters_.empty(); }

private:
    struct Parameter {
        std::string name;
        std::string type;
        std::optional<Value> fallback;
    };

    std::vector<Parameter> parameters_;
};

}  // namespace sluice::config
