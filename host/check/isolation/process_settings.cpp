#include "check/isolation/process_settings.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sched.h>
#include <sys/stat.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace sluice::check {
namespace {

std::string handler_of(int signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    void* handler = nullptr;
    std::memcpy(&handler, &action.sa_handler, sizeof(handler));
    return fmt::format("{} {}", handler, action.sa_flags);
}

std::string cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof(set), &set);
    return {reinterpret_cast<const char*>(&set), sizeof(set)};
}

std::string creation_mask() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return std::to_string(mask);
}

// <cfenv> does not cover flushing of denormal numbers to zero.
std::string float_control() {
#ifdef __x86_64__
    constexpr unsigned kFlags = 0x3F;  // exception flags, which are no setting
    return std::to_string(__builtin_ia32_stmxcsr() & ~kFlags);
#else
    return {};
#endif
}

}  // namespace

ProcessSettings::ProcessSettings() {
    for (int signal = 1; signal < SIGRTMIN; ++signal) {
        if (const char* const name = ::sigabbrev_np(signal)) {  // libc keeps some signals for itself
            values_[fmt::format("the handler of SIG{}", name)] = handler_of(signal);
        }
    }
    values_["the locale"] = ::setlocale(LC_ALL, nullptr);
    values_["the rounding of numbers"] = std::to_string(std::fegetround()) + float_control();
    values_["the working folder"] = std::filesystem::current_path().string();
    values_["the umask"] = creation_mask();
    values_["the CPU affinity of the thread"] = cores();
}

std::string ProcessSettings::changed_in(const ProcessSettings& later) const {
    std::string text;
    for (const auto& [name, value] : values_) {
        if (later.values_.at(name) != value) {
            text += (text.empty() ? "" : ", ") + name;
        }
    }
    return text;
}

std::size_t thread_count() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

std::size_t descriptor_count() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

std::size_t bytes_in_use() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

}  // namespace sluice::check
