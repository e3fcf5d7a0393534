#include "data/chain/class_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/control.hpp"

namespace sluice::data {
namespace {

using nlohmann::json;

std::string name_at(std::span<const std::string> names, std::size_t number) {
    return number < names.size() ? names[number] : "";
}

// Compares each common field up to its first difference. Returns the first one for which `counts` returns true.
template <class Counts>
std::optional<ClassDifference> find_first(const ClassNames& first, const ClassNames& second, const Counts& counts) {
    for (const auto& [field, names] : first) {
        const std::span<const std::string> others = names_of(second, field);
        const auto number = static_cast<std::size_t>(std::ranges::mismatch(names, others).in1 - names.begin());
        const ClassDifference found{field, number, name_at(names, number), name_at(others, number)};
        if (!others.empty() && found.first != found.second && counts(found)) {
            return found;
        }
    }
    return std::nullopt;
}

bool is_name(const json& value) {
    const auto* const text = value.get_ptr<const std::string*>();
    return text != nullptr && !text->empty() && is_plain(*text);
}

bool is_list_of_names(const json& value) {
    return value.is_array() && !value.empty() && std::ranges::all_of(value, is_name);
}

}  // namespace

std::span<const std::string> names_of(const ClassNames& names, const std::string& field) {
    const auto found = names.find(field);
    return found == names.end() ? std::span<const std::string>() : found->second;
}

std::string named(std::span<const std::string> names, std::int64_t number) {
    const bool has_name = number >= 0 && std::cmp_less(number, names.size());
    return has_name ? fmt::format("{} ('{}')", number, names[static_cast<std::size_t>(number)])
                    : std::to_string(number);
}

std::optional<ClassDifference> find_difference(const ClassNames& first, const ClassNames& second) {
    return find_first(first, second, [](const ClassDifference&) { return true; });
}

std::optional<ClassDifference> find_conflict(const ClassNames& first, const ClassNames& second) {
    return find_first(first, second,
                      [](const ClassDifference& found) { return !found.first.empty() && !found.second.empty(); });
}

std::string to_json(const ClassNames& names) { return json(names).dump(); }

std::optional<ClassNames> class_names_of(const std::string& text) {
    const json parsed = json::parse(text, nullptr, false);
    if (!parsed.is_object() || !std::ranges::all_of(parsed, is_list_of_names)) {
        return std::nullopt;
    }
    return parsed.get<ClassNames>();
}

}  // namespace sluice::data
