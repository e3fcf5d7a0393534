#include "check/numerics/guarded_buffer.hpp"

#include <algorithm>

namespace sluice::check {
namespace {

constexpr std::uint64_t kLeastGuard = 64;  // bytes: the alignment that kernels are promised on any device
constexpr std::byte kGuardByte{0xA5};
constexpr std::byte kPoisonByte{0xFF};

}  // namespace

GuardedBuffer::GuardedBuffer(const Workbench& bench, std::uint64_t bytes)
    : bench_(bench),
      bytes_(bytes),
      guard_(std::max(kLeastGuard, bench.device()->info().alignment)),
      block_(bench.device(), bytes + 2 * guard_),
      written_(bytes + 2 * guard_) {
    poison();
}

void* GuardedBuffer::data() const { return block_.data() + guard_; }

void GuardedBuffer::write(std::span<const std::byte> bytes) {
    std::ranges::fill(written_, kGuardByte);
    std::ranges::copy(bytes.first(bytes_), written_.begin() + guard());
    upload();
}

void GuardedBuffer::poison() {
    std::ranges::fill(written_, kGuardByte);
    std::fill_n(written_.begin() + guard(), bytes_, kPoisonByte);
    upload();
}

std::vector<std::byte> GuardedBuffer::read() const {
    const std::vector<std::byte> now = download();
    return {now.begin() + guard(), now.end() - guard()};
}

bool GuardedBuffer::has_changed() const {
    const std::vector<std::byte> now = download();
    return !std::equal(now.begin() + guard(), now.end() - guard(), written_.begin() + guard());
}

std::string_view GuardedBuffer::damage() const {
    const std::vector<std::byte> now = download();
    const auto intact = [](std::byte byte) { return byte == kGuardByte; };
    if (!std::all_of(now.begin(), now.begin() + guard(), intact)) {
        return "before the beginning";
    }
    return std::all_of(now.end() - guard(), now.end(), intact) ? "" : "past the end";
}

void GuardedBuffer::upload() {
    bench_.device()->copy(block_.data(), written_.data(), written_.size(), bench_.stream());
    bench_.device()->wait(bench_.stream());
}

std::vector<std::byte> GuardedBuffer::download() const {
    std::vector<std::byte> bytes(written_.size());
    bench_.device()->copy(bytes.data(), block_.data(), bytes.size(), bench_.stream());
    bench_.device()->wait(bench_.stream());
    return bytes;
}

}  // namespace sluice::check
