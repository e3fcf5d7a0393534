#include "base/toml/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/toml/toml_advice.hpp"
#include "base/toml/toml_guard.hpp"

namespace sluice {
namespace {

class Converter {
public:
    explicit Converter(const std::string& name) : name_(name) {}

    Table table(const toml::table& from) const {
        // toml++ keeps keys sorted; their source positions give back the order of the file.
        std::vector<std::pair<const toml::key*, const toml::node*>> ordered;
        for (const auto& [key, node] : from) {
            ordered.emplace_back(&key, &node);
        }
        std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
            const auto& left = a.first->source().begin;
            const auto& right = b.first->source().begin;
            return std::pair(left.line, left.column) < std::pair(right.line, right.column);
        });
        Table out;
        for (const auto& [key, node] : ordered) {
            Value converted = value(*node);
            converted.origin = origin(key->source().begin);  // messages about a wrong key name its place
            out.set(key->str(), std::move(converted));
        }
        return out;
    }

private:
    Value value(const toml::node& node) const {
        Value out;
        out.origin = origin(node.source().begin);
        if (const auto* as_table = node.as_table()) {
            out.data = table(*as_table);
        } else if (const auto* as_array = node.as_array()) {
            Array items;
            for (const auto& item : *as_array) {
                items.push_back(value(item));
            }
            out.data = std::move(items);
        } else if (const auto* text = node.as_string()) {
            out.data = std::string(text->get());
        } else if (const auto* integer = node.as_integer()) {
            out.data = static_cast<std::int64_t>(integer->get());
        } else if (const auto* number = node.as_floating_point()) {
            out.data = number->get();
        } else if (const auto* boolean = node.as_boolean()) {
            out.data = boolean->get();
        } else {
            throw Error(Exit::config, to_string(out.origin) + ": dates and times are not supported; write a string");
        }
        return out;
    }

    Origin origin(const toml::source_position& at) const {
        return {Origin::Kind::file, name_, static_cast<int>(at.line), static_cast<int>(at.column)};
    }

    const std::string& name_;
};

}  // namespace

Table parse_toml(std::string_view text, const std::string& name) {
    guard_toml(text, name);
    try {
        return Converter(name).table(toml::parse(text, name));
    } catch (const toml::parse_error& bad) {
        const auto& at = bad.source().begin;
        std::string what(bad.description());
        std::ranges::replace(what, '\n', ' ');  // the parser quotes its input
        throw Error(Exit::config, fmt::format("{}:{}:{}: {}{}", name, at.line, at.column, what,
                                              toml_advice(text, {at.line, at.column, what})));
    }
}

}  // namespace sluice
