// The host's log: lines on stderr and, once a run has a folder, in its log.txt.
#pragma once

#include <filesystem>
#include <string_view>

namespace sluice::log {

enum class Level { debug, info, warning, error };

// Lines below this level are dropped. [any thread]
void set_level(Level level);
[[nodiscard]] Level level();
// From here on lines also go to this file, appended. Throws Error(Exit::save).
void open_file(const std::filesystem::path& path);

void write(Level level, std::string_view message);
// From a signal handler: to the same places, past what is still being written.
void write_at_once(Level level, std::string_view message) noexcept;
inline void debug(std::string_view message) { write(Level::debug, message); }
inline void info(std::string_view message) { write(Level::info, message); }
inline void warn(std::string_view message) { write(Level::warning, message); }
inline void error(std::string_view message) { write(Level::error, message); }

}  // namespace sluice::log
