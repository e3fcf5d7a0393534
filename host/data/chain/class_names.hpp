// Names of classes, by the field that holds their numbers: for messages, prepared files and checkpoints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::data {

// By the field's name; each list is in the order of the numbers and not empty.
using ClassNames = std::map<std::string, std::vector<std::string>>;

// Empty where there are none of that field.
std::span<const std::string> names_of(const ClassNames& names, const std::string& field);

// "12 ('zebra')", or "12" where class 12 has no name.
std::string named(std::span<const std::string> names, std::int64_t number);

// A class that has two names.
struct ClassDifference {
    std::string field;
    std::size_t number = 0;
    std::string first;  // empty: none
    std::string second;
};
// The first of the fields that both have.
std::optional<ClassDifference> find_difference(const ClassNames& first, const ClassNames& second);
// The same of classes that have a name in both.
std::optional<ClassDifference> find_conflict(const ClassNames& first, const ClassNames& second);

// {"label": ["cat", "dog"]}
std::string to_json(const ClassNames& names);
// Nothing where the text is no such JSON.
std::optional<ClassNames> class_names_of(const std::string& json);

}  // namespace sluice::data
