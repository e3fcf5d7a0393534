#include "base/log.hpp"

#include <fcntl.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "base/control.hpp"
#include "base/error.hpp"

namespace sluice::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
    switch (level) {
        case Level::debug:
            return spdlog::level::debug;
        case Level::info:
            return spdlog::level::info;
        case Level::warning:
            return spdlog::level::warn;
        case Level::error:
            break;
    }
    return spdlog::level::err;
}

// A second descriptor of the log file, for write_signal_safe(); -1: none.
constinit std::atomic<int> signal_safe_file = -1;

// Buffers the last lines that are logged before open_file(); null after it.
std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt>& early_lines() {
    constexpr std::size_t kMost = 100;
    static auto lines = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kMost);
    return lines;
}

// The process has one log, which is created on first use and lives until the process exits.
spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto made = std::make_shared<spdlog::logger>("sluice", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        made->set_pattern("%^%L%$ %v");
        made->sinks().push_back(early_lines());
        made->set_level(spdlog::level::info);
        made->flush_on(spdlog::level::info);
        return made;
    }();
    return *instance;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

// Cuts the middle out of very long words such as paths, so that a message still shows its reason.
std::string shorten_long_words(std::string_view text) {
    constexpr std::size_t kLongest = 512;
    constexpr std::size_t kShown = 200;  // characters at each end
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find_first_of(" \n"), text.size() - 1) + 1;
        if (length <= kLongest) {
            shown += text.substr(0, length);
        } else {
            std::size_t head = kShown;
            std::size_t tail = length - kShown;
            for (; continues_character(text[head]); --head) {
            }
            for (; tail < length && continues_character(text[tail]); ++tail) {
            }
            shown.append(text.substr(0, head)).append("[...]").append(text.substr(tail, length - tail));
        }
        text.remove_prefix(length);
    }
    return shown;
}

std::shared_ptr<spdlog::sinks::sink> open_sink(const std::filesystem::path& path) {
    try {
        return std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
    } catch (const spdlog::spdlog_ex& error) {
        throw Error(Exit::save, error.what());
    }
}

}  // namespace

void set_level(Level level) { logger().set_level(to_spdlog(level)); }

Level level() {
    const auto now = logger().level();
    return now <= spdlog::level::debug  ? Level::debug
           : now == spdlog::level::info ? Level::info
           : now == spdlog::level::warn ? Level::warning
                                        : Level::error;
}

void open_file(const std::filesystem::path& path) {
    spdlog::logger& all = logger();  // created with the early lines, which move to the file below
    const auto sink = open_sink(path);
    sink->set_pattern("%Y-%m-%d %H:%M:%S %L %v");
    if (const auto early = std::exchange(early_lines(), nullptr)) {
        for (const spdlog::details::log_msg_buffer& line : early->last_raw()) {
            sink->log(line);
        }
        early->set_level(spdlog::level::off);
    }
    all.sinks().push_back(sink);
    signal_safe_file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

// Escapes control characters, so that text that a message quotes cannot control the terminal.
void write(Level level, std::string_view message) {
    const std::string shown = is_plain(message) ? std::string(message) : shown_lines(message);
    logger().log(to_spdlog(level), level >= Level::warning ? shorten_long_words(shown) : shown);
}

void write_signal_safe(Level level, std::string_view message) noexcept {
    constexpr std::string_view kLetters = "DIWE";
    const std::array<char, 2> begin{kLetters[static_cast<std::size_t>(level)], ' '};
    std::array<iovec, 3> parts{{{const_cast<char*>(begin.data()), begin.size()},
                                {const_cast<char*>(message.data()), message.size()},
                                {const_cast<char*>("\n"), 1}}};
    for (const int file : {STDERR_FILENO, signal_safe_file.load()}) {
        if (file >= 0) {
            [[maybe_unused]] const auto written = ::writev(file, parts.data(), parts.size());
        }
    }
}

}  // namespace sluice::log
