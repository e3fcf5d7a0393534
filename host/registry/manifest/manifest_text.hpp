// Rules for texts, names and ids in a manifest. They come from untrusted files and appear in messages, command lines
// and file names. The rules are strict, because they can be relaxed later but not tightened.
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice::registry {

// Returns why a text cannot be shown to users, as the end of a sentence; empty if it can.
std::string text_problem(std::string_view text);

// Names that a pipeline file uses: components, their options and kinds of device.
inline constexpr std::string_view kNameRule =
    "a lower-case letter and then lower-case letters, digits and _ are needed, at most 64, such as hsv_jitter";
bool is_name(std::string_view text);

// Ids of plugins and components.
inline constexpr std::string_view kIdRule =
    "two or more words joined by dots are needed, of lower-case letters, digits, _ and -, at most 128, such as "
    "com.acme.layer.swish";
bool is_id(std::string_view text);

// True for the ids of components that Sluice ships.
inline bool is_own_id(std::string_view id) { return id.starts_with("sluice."); }

[[noreturn]] void refuse_manifest(const std::string& where, const std::string& why);

// Checks all keys, also unknown ones, because messages show them. Throws Error(Exit::plugin).
void expect_plain_keys(const Table& table);

// Read a text, name or id of `table`; `where` names the table in messages. Return an empty string if the key is absent
// and not needed. Throw Error(Exit::plugin).
std::string read_text(const Table& table, const char* key, const std::string& where, bool needed);
std::string read_name(const Table& table, const char* key, const std::string& where, bool needed);
std::string read_id(const Table& table, const std::string& where);

}  // namespace sluice::registry
