#include "cli/schema/set_completions.hpp"

#include <functional>
#include <set>

namespace sluice::cli {
namespace {

using Json = nlohmann::ordered_json;
using Visit = std::function<void(const Json&)>;

// Visits `schema` after resolving $ref and anyOf: each schema that it refers to or chooses from.
void for_each_plain(const Json& whole, const Json& schema, const Visit& visit) {
    if (const auto reference = schema.find("$ref"); reference != schema.end()) {
        for_each_plain(whole, whole.at(Json::json_pointer(reference->get<std::string>().substr(1))), visit);
    } else if (const auto choices = schema.find("anyOf"); choices != schema.end()) {
        for (const Json& choice : *choices) {
            for_each_plain(whole, choice, visit);
        }
    } else {
        visit(schema);
    }
}

// Visits each key with its schema. A key of several components is visited once for each of them.
void for_each_key(const Json& whole, const Json& schema, const std::string& path,
                  const std::function<void(const std::string&, const Json&)>& visit) {
    for_each_plain(whole, schema, [&](const Json& plain) {
        const auto properties = plain.find("properties");
        if (properties == plain.end()) {
            if (!path.empty() && plain.value("type", "") != "object") {
                visit(path, plain);
            }
            return;
        }
        for (const auto& [name, inner] : properties->items()) {
            for_each_key(whole, inner, path.empty() ? name : path + "." + name, visit);
        }
    });
}

std::string word_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

std::vector<std::string> SetCompletions::keys() const {
    std::set<std::string> keys;
    for_each_key(schema_, schema_, "", [&](const std::string& key, const Json&) { keys.insert(key); });
    keys.erase("include");  // only files can have it
    return {keys.begin(), keys.end()};
}

std::vector<std::string> SetCompletions::values(std::string_view key) const {
    std::set<std::string> words;
    for_each_key(schema_, schema_, "", [&](const std::string& path, const Json& value) {
        if (path != key) {
            return;
        }
        if (value.contains("const")) {
            words.insert(word_of(value["const"]));
        }
        for (const Json& choice : value.value("enum", Json::array())) {
            words.insert(word_of(choice));
        }
        if (value.value("type", "") == "boolean") {
            words.insert({"true", "false"});
        }
    });
    return {words.begin(), words.end()};
}

}  // namespace sluice::cli
