// Keys and values that may follow --set, from the schema of pipeline files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

class SetCompletions {
public:
    explicit SetCompletions(nlohmann::ordered_json schema) : schema_(std::move(schema)) {}

    // All keys that can be set, such as "train.epochs" and "optimizer.momentum", of every component; none in arrays.
    [[nodiscard]] std::vector<std::string> keys() const;
    // Values of a key: component names, choices, true and false. Empty: the key takes any number or text.
    [[nodiscard]] std::vector<std::string> values(std::string_view key) const;

private:
    nlohmann::ordered_json schema_;
};

}  // namespace sluice::cli
