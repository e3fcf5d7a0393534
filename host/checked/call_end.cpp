// What a call of a plugin has left behind.
#include <fmt/format.h>

#include <algorithm>

#include "checked/call.hpp"

namespace sluice::registry::checked {
namespace {

bool is_all(std::byte value, const std::byte* bytes, std::size_t count) {
    return std::all_of(bytes, bytes + count, [value](std::byte one) { return one == value; });
}

bool is_known(sluice_status status) { return status >= SLUICE_OK && status <= SLUICE_REPLICA_LOST; }

template <std::size_t N>
bool ends(const char (&text)[N]) {
    return ::strnlen(text, N) < N;
}

}  // namespace

void Call::look_at_process() {
    if (const auto changed = state_->changed()) {
        broken(changed->first, changed->second);
    }
    if (lent_ != nullptr && !lent_->is_as_sealed()) {
        broken(Rule::lent_written, "writes to what it was lent");
    }
}

void Call::look_at_outputs(bool is_ok) {
    for (const Output& output : outputs_) {
        const std::size_t bytes = output.element * output.count;
        if (!is_all(std::byte{kNothing}, output.ours.get() + bytes, kFence)) {
            broken(Rule::past_the_end, fmt::format("writes past the {} bytes of an output", bytes));
        }
        if (output.is_sized && std::memcmp(output.ours.get(), output.theirs, sizeof(std::uint64_t)) != 0) {
            broken(Rule::struct_size, "sets the struct_size of a struct that it was to fill");
        }
        for (std::size_t i = 0; i < output.count && is_ok && output.is_whole; ++i) {
            if (is_all(std::byte{kNothing}, output.ours.get() + i * output.element, output.element)) {
                broken(Rule::unwritten, fmt::format("leaves element {} of {} of an output as it was", i, output.count));
                break;
            }
        }
        if (is_ok && !is_broken_) {
            std::memcpy(output.theirs, output.ours.get(), bytes);
        }
    }
}

void Call::look_at_fields(bool is_ok) {
    for (const SampleField& field : fields_) {
        if (!field.ours.damage().empty()) {
            broken(Rule::past_the_end, fmt::format("writes {} of field {}", field.ours.damage(), field.number));
        }
    }
    for (const SampleField& field : fields_) {
        if (is_ok && !is_broken_ && field.theirs != nullptr) {
            std::memcpy(field.theirs, field.ours.bytes().data(), field.ours.bytes().size());
        }
    }
}

void Call::look_at_error(sluice_status status) {
    if (theirs_error_ == nullptr) {
        return;
    }
    const sluice_error& error = error_.error;
    if (error_.after != kNobody) {
        broken(Rule::past_the_end, "writes past the end of sluice_error");
    }
    if (status == SLUICE_OK) {
        if (error.reserved != 0 || error.line != 0 || error.message[0] != '\0' || error.file[0] != '\0') {
            broken(Rule::error_unasked, fmt::format("returns SLUICE_OK and writes '{}' to sluice_error",
                                                    std::string_view(error.message, ::strnlen(error.message, 80))));
        }
        return;
    }
    if (!is_known(status)) {
        broken(Rule::status, fmt::format("returns {}", status));
    } else if (!ends(error.message) || !ends(error.file)) {
        broken(Rule::error_text, "leaves a text of sluice_error without its end");
    } else if (error.message[0] == '\0') {
        broken(Rule::no_reason, fmt::format("returns status {} and says nothing", status));
    }
    std::memcpy(theirs_error_, &error, sizeof(error));
}

void Call::keep_made(bool is_ok) {
    if (theirs_made_ == nullptr) {
        return;
    }
    const bool is_there = std::memcmp(&made_, &kNobody, sizeof(made_)) != 0;
    if (!is_ok) {
        if (info_.makes == Handle::graph && is_there) {
            broken(Rule::untouched, "fails and writes *graph");
        }
        return;
    }
    if (!is_there) {
        broken(Rule::unwritten, fmt::format("returns SLUICE_OK and gives no {}", to_string(info_.makes)));
    }
    if (is_broken_) {
        return;
    }
    const bool is_watched =
        info_.makes == Handle::object || info_.makes == Handle::context || info_.makes == Handle::kernel;
    if (is_watched) {
        const auto made = watch_->add(info_.makes, made_, object_.get());
        made->counts = counts;
        *theirs_made_ = made.get();
        return;
    }
    *theirs_made_ = made_;
    if (made_ == nullptr || object_ == nullptr) {
        return;
    }
    const std::lock_guard lock(object_->guard);
    if (!object_->handles.emplace(made_, info_.makes).second) {
        broken(Rule::made_twice, fmt::format("gives a {} that it has given out already", to_string(info_.makes)));
    }
}

void Call::end_handle() {
    if (ended_ == nullptr) {
        return;
    }
    for (const auto& one : {part_, object_}) {
        if (one.get() == ended_) {
            one->watch->end(*one);
            return;
        }
    }
    const std::lock_guard lock(object_->guard);
    object_->handles.erase(ended_);
}

void Call::end(sluice_status& status) {
    const bool is_ok = status == SLUICE_OK;
    if (may_go_) {
        look_at_process();
        look_at_error(status);
        look_at_outputs(is_ok);
        look_at_fields(is_ok);
        keep_made(is_ok);
        end_handle();
        if (info_.does == Mark::described && object_ != nullptr) {
            object_->counts = counts;
        }
    }
    for (const auto& one : at_the_end_) {
        one();
    }
    if (info_.keeps_loan && part_ != nullptr) {
        part_->loan = std::move(lent_);
    } else if (info_.takes_up_loan && part_ != nullptr) {
        part_->loan.reset();
    }
    if (const std::string kept = LentMemory::note_touched(); !kept.empty() && !is_broken_) {
        is_broken_ = true;
        first_ = kept;
    }
    if (is_broken_) {
        status = SLUICE_FAILED;
        if (theirs_error_ != nullptr) {
            fmt::format_to_n(theirs_error_->message, sizeof(theirs_error_->message) - 1, "{}", first_);
            theirs_error_->message[std::min(first_.size(), sizeof(theirs_error_->message) - 1)] = '\0';
        }
    }
}

}  // namespace sluice::registry::checked
