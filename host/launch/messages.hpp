// The messages between `host launch` and its processes. Each is a line that begins with its word. Private to this
// folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::launch {

// The first message of a process.
struct Hello {
    std::string question;  // Address::question()
    std::size_t rank = 0;
    int pid = 0;
    std::string host;
};

// Messages of a process that has joined.
struct Heartbeat {};
struct ErrorReport {
    std::string error;  // may have several lines
};
struct CheckpointReport {
    std::string file;  // path of the last checkpoint
};
struct SignalReport {
    int signal = 0;  // asks the process to stop
};
struct StopReport {
    int code = 0;  // with which the process will exit, since it has stopped as asked
};
struct ExitNotice {
    int code = 0;
};
struct SaverQuestion {};  // another process is lost: who saves what was trained?
using ProcessMessage =
    std::variant<Heartbeat, ErrorReport, CheckpointReport, SignalReport, StopReport, ExitNotice, SaverQuestion>;

// Messages of the launcher.
struct StopOrder {
    int signal = 0;  // by which the user asked to stop
};
struct LostReplicaNotice {
    std::size_t saver = 0;              // rank that saves what was trained
    std::chrono::milliseconds time{0};  // after which all processes must have exited
    int code = 0;                       // with which the process failed by itself; 0: it is lost
    std::string reason;
};
using LauncherMessage = std::variant<StopOrder, LostReplicaNotice>;

[[nodiscard]] std::string to_line(const Hello& hello);
[[nodiscard]] std::string to_line(const ProcessMessage& message);
[[nodiscard]] std::string to_line(const LauncherMessage& message);

// Return nothing if the line is no such message.
[[nodiscard]] std::optional<Hello> parse_hello(std::string_view line);
[[nodiscard]] std::optional<ProcessMessage> parse_process_message(std::string_view line);
[[nodiscard]] std::optional<LauncherMessage> parse_launcher_message(std::string_view line);

}  // namespace sluice::launch
