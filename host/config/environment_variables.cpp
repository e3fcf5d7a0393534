#include "config/environment_variables.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.hpp"

namespace sluice::config {
namespace {

void expand_text(std::string& text, Origin& origin) {
    std::string expanded;
    std::string names;
    std::size_t at = 0;
    for (std::size_t open = text.find("${"); open != std::string::npos; open = text.find("${", at)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) {
            throw Error(Exit::config,
                        fmt::format("{}: \"{}\" opens a variable with '${{' and does not close it with '}}'",
                                    to_string(origin), text));
        }
        const std::string name = text.substr(open + 2, close - open - 2);
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) {
            throw Error(Exit::config, fmt::format("{}: the environment variable {} in \"{}\" is not set",
                                                  to_string(origin), name, text));
        }
        expanded += text.substr(at, open - at) + value;
        names += (names.empty() ? "" : ", ") + name;
        at = close + 1;
    }
    if (names.empty()) {
        return;
    }
    text = expanded + text.substr(at);
    origin.file = fmt::format("{} ({})", names, to_string(origin));
    origin.kind = Origin::Kind::environment;
}

}  // namespace

void expand_environment(Table& table) {
    for (auto& [key, value] : table.entries()) {
        expand_environment(value);
    }
}

void expand_environment(Value& value) {
    if (auto* text = std::get_if<std::string>(&value.data)) {
        expand_text(*text, value.origin);
    } else if (auto* items = std::get_if<Array>(&value.data)) {
        for (Value& item : *items) {
            expand_environment(item);
        }
    } else if (auto* table = std::get_if<Table>(&value.data)) {
        expand_environment(*table);
    }
}

}  // namespace sluice::config
