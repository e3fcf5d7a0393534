// Names of classes, by the field that holds the class numbers. Messages, prepared files and checkpoints use them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::data {

// Field name -> class names in the order of the numbers. No list is empty.
using ClassNames = std::map<std::string, std::vector<std::string>>;

// Empty if the field has no class names.
std::span<const std::string> names_of(const ClassNames& names, const std::string& field);

// "12 ('zebra')", or "12" if class 12 has no name.
std::string named(std::span<const std::string> names, std::int64_t number);

// A class that has two names.
struct ClassDifference {
    std::string field;
    std::size_t number = 0;
    std::string first;   // empty: no name
    std::string second;  // empty: no name
};
// The first difference in a field that both have.
std::optional<ClassDifference> find_difference(const ClassNames& first, const ClassNames& second);
// The same, but only for classes that have a name in both.
std::optional<ClassDifference> find_conflict(const ClassNames& first, const ClassNames& second);

// {"label": ["cat", "dog"]}
std::string to_json(const ClassNames& names);
// Reads to_json(); std::nullopt if the text is not such JSON.
std::optional<ClassNames> class_names_of(const std::string& json);

}  // namespace sluice::data
