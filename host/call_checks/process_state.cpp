#include "call_checks/process_state.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace sluice::call_checks {
namespace {

// The control bits of MXCSR. Its low 6 bits are status flags, not settings.
std::uint32_t number_control() {
#ifdef __x86_64__
    constexpr std::uint32_t kFlags = 0x3F;
    return __builtin_ia32_stmxcsr() & ~kFlags;
#else
    return 0;
#endif
}

void set_number_control([[maybe_unused]] std::uint32_t control) {
#ifdef __x86_64__
    __builtin_ia32_ldmxcsr(control);
#endif
}

std::string folder() {
    std::error_code none;
    return std::filesystem::current_path(none).string();
}

// True for the default action (null) and for handlers of this program. Another thread of the host may install or
// restore one during the call; the host never ignores a signal.
bool is_hosts(void* handler) {
    Dl_info its{};
    Dl_info ours{};
    return handler == nullptr ||
           (::dladdr(handler, &its) != 0 && ::dladdr(reinterpret_cast<void*>(&is_hosts), &ours) != 0 &&
            its.dli_fbase == ours.dli_fbase);
}

}  // namespace

std::array<void*, ProcessState::kSignals> ProcessState::handlers() {
    std::array<void*, kSignals> all{};
    for (std::size_t i = 1; i < all.size(); ++i) {
        struct sigaction action {};
        if (::sigaction(static_cast<int>(i), nullptr, &action) == 0) {
            std::memcpy(&all[i], &action.sa_handler, sizeof(all[i]));
        }
    }
    return all;
}

ProcessState::ProcessState(bool is_whole)
    : is_whole_(is_whole), numbers_(number_control()), rounding_(std::fegetround()) {
    if (is_whole_) {
        locale_ = std::setlocale(LC_ALL, nullptr);
        thread_locale_ = ::uselocale(nullptr);
        folder_ = folder();
        handlers_ = handlers();
    }
}

std::optional<Finding> ProcessState::changed() const {
    if (number_control() != numbers_ || std::fegetround() != rounding_) {
        std::fesetround(rounding_);
        set_number_control(numbers_);
        return Finding{Rule::rounding, "changes the rounding mode or the handling of denormals"};
    }
    if (!is_whole_) {
        return std::nullopt;
    }
    if (const char* const now = std::setlocale(LC_ALL, nullptr); locale_ != now) {
        return Finding{Rule::locale, fmt::format("changes the locale from {} to {}", locale_, now)};
    }
    if (::uselocale(nullptr) != thread_locale_) {
        return Finding{Rule::locale, "changes the locale of the thread"};
    }
    if (const std::string now = folder(); now != folder_) {
        return Finding{Rule::folder, fmt::format("changes the working folder from {} to {}", folder_, now)};
    }
    const auto now = handlers();
    for (std::size_t i = 1; i < now.size(); ++i) {
        if (now[i] != handlers_[i] && !is_hosts(now[i])) {
            return Finding{Rule::signals,
                           fmt::format("replaces the handler of SIG{}", ::sigabbrev_np(static_cast<int>(i)))};
        }
    }
    return std::nullopt;
}

}  // namespace sluice::call_checks
