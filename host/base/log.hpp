// The host's log: lines on stderr and, once a run has a folder, in its log.txt.
#pragma once

#include <filesystem>
#include <string_view>

namespace sluice::log {

enum class Level { debug, info, warning, error };

// Lines below this level are dropped. [any thread]
void set_level(Level level);
[[nodiscard]] Level level();
// Appends the last earlier lines, and from now on all lines, to this file as well. Throws Error(Exit::save).
void open_file(const std::filesystem::path& path);

void write(Level level, std::string_view message);
// For signal handlers: writes to the same places, without waiting for lines that are still being written.
void write_signal_safe(Level level, std::string_view message) noexcept;
inline void debug(std::string_view message) { write(Level::debug, message); }
inline void info(std::string_view message) { write(Level::info, message); }
inline void warn(std::string_view message) { write(Level::warning, message); }
inline void error(std::string_view message) { write(Level::error, message); }

}  // namespace sluice::log
