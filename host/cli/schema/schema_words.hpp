// What may stand behind --set, from the schema of pipeline files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

class SchemaWords {
public:
    explicit SchemaWords(nlohmann::ordered_json schema) : schema_(std::move(schema)) {}

    // "train.epochs", "optimizer.momentum": all that can be set, those of every component; not what lies in arrays.
    [[nodiscard]] std::vector<std::string> keys() const;
    // Of the key: names of components, choices, true and false. Empty where any number or text may stand.
    [[nodiscard]] std::vector<std::string> values(std::string_view key) const;

private:
    nlohmann::ordered_json schema_;
};

}  // namespace sluice::cli
