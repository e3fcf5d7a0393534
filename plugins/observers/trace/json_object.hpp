// The text of a JSON object, built member by member. An object of nlohmann::json allocates memory in its destructor,
// which terminates the process if there is none. Its texts and numbers do not.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace sluice::observers {

// Returns the JSON text of a string or a number.
inline std::string json_text(const nlohmann::json& plain) {
    return plain.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class JsonObject {
public:
    // `value` is a string, a number or a JsonObject.
    template <class T>
    JsonObject& add(std::string_view name, const T& value) {
        members_ += (members_.empty() ? "" : ",") + json_text(name) + ":";
        if constexpr (std::is_same_v<T, JsonObject>) {
            members_ += value.text();
        } else {
            members_ += json_text(value);
        }
        return *this;
    }
    [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

private:
    std::string members_;
};

}  // namespace sluice::observers
