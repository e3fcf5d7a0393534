// What the texts, names and ids of a manifest are made of. They stand in messages, on the command line and in names of
// files, and are read from files that nobody has looked at: what is refused here can be allowed later, and not the
// other way round.
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice::registry {

// Why a text that is shown to people may not be, as the end of a sentence; empty where it may.
std::string trouble_of_text(std::string_view text);

// Of what a pipeline calls by name: components, their options, kinds of device.
inline constexpr std::string_view kNameRule =
    "a letter and then letters, digits and _ are needed, all of them small, at most 64, such as hsv_jitter";
bool is_name(std::string_view text);

// Of plugins and components.
inline constexpr std::string_view kIdRule =
    "two or more words with dots between are needed, of small letters, digits, _ and -, at most 128, such as "
    "com.acme.layer.swish";
bool is_id(std::string_view text);

// Those that Sluice itself ships.
inline bool is_own_id(std::string_view id) { return id.starts_with("sluice."); }

[[noreturn]] void refuse_manifest(const std::string& where, const std::string& why);

// Of all keys, also those that nobody reads: messages name them.
void expect_plain_keys(const Table& table);

// A text of `table`; `where` stands for the table in messages. Empty where it may be absent and is. All throw
// Error(Exit::plugin).
std::string read_text(const Table& table, const char* key, const std::string& where, bool needed);
std::string read_name(const Table& table, const char* key, const std::string& where, bool needed);
std::string read_id(const Table& table, const std::string& where);

}  // namespace sluice::registry
