#include "registry/manifest/schema_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "base/text/nearest.hpp"
#include "config/keys.hpp"
#include "registry/manifest/schema_text.hpp"

namespace sluice::registry {
namespace {

// Checks one option; `owner` and the option's name open every message.
class Checker {
public:
    Checker(const OptionSchema& option, const std::string& owner) : option_(option), owner_(owner) {}

    [[nodiscard]] Value checked(const Value& given) const {
        if (!option_.is_array) {
            return item(given, option_.name);
        }
        const Array* items = given.as_array();
        if (items == nullptr) {
            fail_type(given, option_.name);
        }
        if (option_.array_size > 0 && items->size() != static_cast<std::size_t>(option_.array_size)) {
            fail(given, option_.name,
                 fmt::format("has {} instead of {}", counted(items->size(), "item"), option_.array_size));
        }
        Array out;
        for (std::size_t i = 0; i < items->size(); ++i) {
            out.push_back(item((*items)[i], fmt::format("{}[{}]", option_.name, i)));
        }
        return {std::move(out), given.origin};
    }

private:
    [[nodiscard]] Value item(const Value& given, const std::string& name) const {
        Value value = converted(given, name);
        if (!option_.choices.empty()) {
            check_choice(value, name);
        }
        if (const double* number = value.as_float()) {
            check_range(*number, value, name);
        } else if (const std::int64_t* integer = value.as_int()) {
            check_range(static_cast<double>(*integer), value, name);
        }
        return value;
    }

    [[nodiscard]] Value converted(const Value& given, const std::string& name) const {
        if (option_.type == OptionSchema::Type::number && given.as_int() != nullptr) {
            return {static_cast<double>(*given.as_int()), given.origin};
        }
        const bool fits = option_.type == OptionSchema::Type::boolean   ? given.as_bool() != nullptr
                          : option_.type == OptionSchema::Type::integer ? given.as_int() != nullptr
                          : option_.type == OptionSchema::Type::number  ? given.as_float() != nullptr
                                                                        : given.as_string() != nullptr;
        if (!fits) {
            fail_type(given, name);
        }
        return given;
    }

    void check_choice(const Value& value, const std::string& name) const {
        std::vector<std::string> words;
        for (const Value& choice : option_.choices) {
            if (to_toml(choice) == to_toml(value)) {
                return;
            }
            words.push_back(choice.as_string() != nullptr ? *choice.as_string() : to_toml(choice));
        }
        const std::string word = value.as_string() != nullptr ? *value.as_string() : to_toml(value);
        fail(value, name,
             fmt::format("is {}; {} is needed{}", to_toml(value), needed_item(option_),
                         did_you_mean(word, words).value_or("")));
    }

    // The negated comparisons put NaN outside of every range.
    void check_range(double number, const Value& value, const std::string& name) const {
        if (option_.min && !(number >= *option_.min)) {
            fail(value, name, fmt::format("is {}; at least {} is needed", to_toml(value), *option_.min));
        }
        if (option_.max && !(number <= *option_.max)) {
            fail(value, name, fmt::format("is {}; at most {} is needed", to_toml(value), *option_.max));
        }
    }

    [[noreturn]] void fail_type(const Value& given, const std::string& name) const {
        const std::string needed = name == option_.name ? needed_value(option_) : needed_item(option_);
        fail(given, name, fmt::format("is {} ({}); {} is needed", to_toml(given), kind_name(given), needed));
    }

    [[noreturn]] void fail(const Value& given, const std::string& name, const std::string& why) const {
        throw Error(Exit::config, fmt::format("{}: option '{}' of {} {}", to_string(given.origin), name, owner_, why));
    }

    const OptionSchema& option_;
    const std::string& owner_;
};

void refuse_unknown(const Schema& schema, const Table& given, const std::string& owner) {
    std::vector<std::string> names;
    for (const OptionSchema& option : schema) {
        names.push_back(option.name);
    }
    for (const auto& [key, value] : given.entries()) {
        if (std::find(names.begin(), names.end(), key) == names.end()) {
            throw Error(Exit::config, fmt::format("{}: unknown option '{}' of {}{}{}", to_string(value.origin), key,
                                                  owner, names.empty() ? "; it takes no options" : "",
                                                  config::unknown_key_hint(key, names)));
        }
    }
}

}  // namespace

Value check_option(const OptionSchema& option, const Value& given, const std::string& owner) {
    return Checker(option, owner).checked(given);
}

Table complete(const Schema& schema, const Table& given, const std::string& owner, const Origin& where) {
    refuse_unknown(schema, given, owner);
    Table out;
    for (const OptionSchema& option : schema) {
        if (const Value* value = given.find(option.name)) {
            out.set(option.name, check_option(option, *value, owner));
        } else if (option.default_value) {
            out.set(option.name, *option.default_value);
        } else if (option.required) {
            throw Error(Exit::config,
                        fmt::format("{}: {} needs option '{}': {}{}{}", to_string(where), owner, option.name,
                                    needed_value(option), option.help.empty() ? "" : ", ", option.help));
        }
    }
    return out;
}

}  // namespace sluice::registry
