#include "data/chain/sample_memory.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/log.hpp"
#include "base/text/byte_size.hpp"

namespace sluice::data {

SampleMemory::SampleMemory(std::uint64_t bytes, std::string purpose) : most_(bytes / 2), purpose_(std::move(purpose)) {}

SampleMemory::Share::Share(SampleMemory& memory) : memory_(memory) {
    const std::lock_guard lock(memory_.mutex_);
    ++memory_.shares_;
}

SampleMemory::Share::~Share() {
    give_back();
    const std::lock_guard lock(memory_.mutex_);
    --memory_.shares_;
}

bool SampleMemory::Share::holds_much() const {
    const std::lock_guard lock(memory_.mutex_);
    return held_ > memory_.most() / memory_.shares_;
}

bool SampleMemory::Share::need(std::uint64_t bytes) {
    if (bytes > memory_.most() || needed_ > memory_.most() - bytes) {
        return false;
    }
    needed_ += bytes;
    return true;
}

void SampleMemory::Share::grow(std::uint64_t bytes) {
    if (has_turn()) {
        return;  // the other half has room for everything that need() has allowed
    }
    const std::lock_guard lock(memory_.mutex_);
    if (bytes > memory_.most() - memory_.held_) {
        throw OutOfTurn();
    }
    memory_.held_ += bytes;
    held_ += bytes;
}

void SampleMemory::Share::make_room(std::vector<std::uint8_t>& buffer, std::uint64_t bytes) {
    if (bytes > buffer.capacity()) {
        grow(bytes - buffer.capacity());
        std::vector<std::uint8_t>().swap(buffer);
        buffer.resize(bytes);
    }
}

void SampleMemory::Share::wait_for_turn() {
    {
        const std::lock_guard lock(memory_.mutex_);
        if (!std::exchange(memory_.has_logged_, true)) {
            log::info(
                fmt::format("{}: samples are so large that some are made one at a time: those that are made at the "
                            "same time may take {} in all; raise data.memory to make more in parallel",
                            memory_.purpose_, format_size(memory_.most())));
        }
    }
    turn_ = std::unique_lock(memory_.turns_);
}

void SampleMemory::Share::give_back() {
    {
        const std::lock_guard lock(memory_.mutex_);
        memory_.held_ -= std::exchange(held_, 0);
    }
    if (has_turn()) {
        turn_.unlock();
    }
}

}  // namespace sluice::data
