#include "launch/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace sluice::launch {
namespace {

constexpr std::string_view kHello = "hello";
constexpr std::string_view kHeartbeat = "alive";
constexpr std::string_view kError = "error";
constexpr std::string_view kCheckpoint = "last";
constexpr std::string_view kSignal = "signal";
constexpr std::string_view kStopped = "stopped";
constexpr std::string_view kExit = "bye";
constexpr std::string_view kQuestion = "asks";
constexpr std::string_view kStop = "stop";
constexpr std::string_view kLost = "lost";

constexpr char kLineBreak = '\v';  // stands for a line feed in a line

std::string replaced(std::string_view text, char from, char to) {
    std::string changed(text);
    std::ranges::replace(changed, from, to);
    return changed;
}

struct ToLine {
    std::string operator()(const Heartbeat&) const { return std::string(kHeartbeat); }
    std::string operator()(const ErrorReport& report) const {
        return fmt::format("{} {}", kError, replaced(report.error, '\n', kLineBreak));
    }
    std::string operator()(const CheckpointReport& report) const {
        return fmt::format("{} {}", kCheckpoint, report.file);
    }
    std::string operator()(const SignalReport& report) const { return fmt::format("{} {}", kSignal, report.signal); }
    std::string operator()(const StopReport& report) const { return fmt::format("{} {}", kStopped, report.code); }
    std::string operator()(const ExitNotice& notice) const { return fmt::format("{} {}", kExit, notice.code); }
    std::string operator()(const SaverQuestion&) const { return std::string(kQuestion); }
    std::string operator()(const StopOrder& order) const { return fmt::format("{} {}", kStop, order.signal); }
    std::string operator()(const LostReplicaNotice& notice) const {
        return fmt::format("{} {} {} {} {}", kLost, notice.saver, notice.time.count(), notice.code, notice.reason);
    }
};

// Returns the text before the first space, and removes both from `line`.
std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    return word;
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string to_line(const Hello& hello) {
    return fmt::format("{} {} {} {} {}", kHello, hello.question, hello.rank, hello.pid, hello.host);
}

std::string to_line(const ProcessMessage& message) { return std::visit(ToLine{}, message); }

std::string to_line(const LauncherMessage& message) { return std::visit(ToLine{}, message); }

std::optional<Hello> parse_hello(std::string_view line) {
    const std::string_view word = take_word(line);
    const std::string_view question = take_word(line);
    const auto rank = number_in<std::size_t>(take_word(line));
    const auto pid = number_in<int>(take_word(line));
    if (word != kHello || !rank || !pid) {
        return std::nullopt;
    }
    return Hello{.question = std::string(question), .rank = *rank, .pid = *pid, .host = std::string(line)};
}

std::optional<ProcessMessage> parse_process_message(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == kHeartbeat) {
        return Heartbeat{};
    }
    if (word == kQuestion) {
        return SaverQuestion{};
    }
    if (word == kError) {
        return ErrorReport{replaced(line, kLineBreak, '\n')};
    }
    if (word == kCheckpoint) {
        return CheckpointReport{std::string(line)};
    }
    const auto number = number_in<int>(line);
    if (number && word == kSignal) {
        return SignalReport{*number};
    }
    if (number && word == kStopped) {
        return StopReport{*number};
    }
    if (number && word == kExit) {
        return ExitNotice{*number};
    }
    return std::nullopt;
}

std::optional<LauncherMessage> parse_launcher_message(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == kStop) {
        const auto signal = number_in<int>(line);
        return signal ? std::optional<LauncherMessage>(StopOrder{*signal}) : std::nullopt;
    }
    const auto saver = number_in<std::size_t>(take_word(line));
    const auto milliseconds = number_in<int>(take_word(line));
    const auto code = number_in<int>(take_word(line));
    if (word != kLost || !saver || !milliseconds || !code) {
        return std::nullopt;
    }
    return LostReplicaNotice{*saver, std::chrono::milliseconds(*milliseconds), *code, std::string(line)};
}

}  // namespace sluice::launch
