#include "call_checks/lent_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sluice::call_checks {
namespace {

bool is_known(sluice_status status) { return status >= SLUICE_OK && status <= SLUICE_REPLICA_LOST; }

template <std::size_t N>
bool ends(const char (&text)[N]) {
    return ::strnlen(text, N) < N;
}

}  // namespace

sluice_error* LentError::lend(sluice_error* theirs) {
    theirs_ = theirs;
    ours_.after = kUntouched;
    return &ours_.error;
}

void LentError::check(sluice_status status, Findings& found) const {
    if (theirs_ == nullptr) {
        return;
    }
    const sluice_error& error = ours_.error;
    if (ours_.after != kUntouched) {
        found.push_back({Rule::past_the_end, "writes past the end of sluice_error"});
    }
    if (status == SLUICE_OK) {
        if (error.reserved != 0 || error.line != 0 || error.message[0] != '\0' || error.file[0] != '\0') {
            found.push_back(
                {Rule::error_unasked, fmt::format("returns SLUICE_OK and writes '{}' to sluice_error",
                                                  std::string_view(error.message, ::strnlen(error.message, 80)))});
        }
        return;
    }
    if (!is_known(status)) {
        found.push_back({Rule::status, fmt::format("returns {}", status)});
    } else if (!ends(error.message) || !ends(error.file)) {
        found.push_back({Rule::error_text, "leaves a text of sluice_error without its terminating NUL"});
    } else if (error.message[0] == '\0') {
        found.push_back({Rule::no_reason, fmt::format("returns status {} without a message", status)});
    }
    std::memcpy(theirs_, &error, sizeof(error));
}

void LentError::write(std::string_view message) const {
    if (theirs_ != nullptr) {
        const std::size_t count = std::min(message.size(), sizeof(theirs_->message) - 1);
        std::memcpy(theirs_->message, message.data(), count);
        theirs_->message[count] = '\0';
    }
}

}  // namespace sluice::call_checks
