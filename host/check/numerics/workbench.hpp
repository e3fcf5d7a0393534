// A device opened for checks, with the stream and the threads that every launch needs.
#pragma once

#include <memory>
#include <utility>

#include "registry/objects/device.hpp"
#include "run/network/threads.hpp"
#include "sluice/host.h"

namespace sluice::check {

class Workbench {
public:
    // 3 divides few shapes evenly, so that pieces of unequal length are checked too.
    static constexpr int kThreads = 3;

    explicit Workbench(std::shared_ptr<const registry::Device> device, int threads = kThreads)
        : device_(std::move(device)), stream_(device_), threads_(threads) {}
    [[nodiscard]] const std::shared_ptr<const registry::Device>& device() const { return device_; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }
    // NULL on devices other than the CPU.
    [[nodiscard]] const sluice_threads* threads() const { return device_->is_host_memory() ? threads_.api() : nullptr; }

    // True if plan() may choose kernels by measuring. On the CPU that is fast. On a GPU each candidate takes seconds to
    // prepare, and checks plan hundreds of kernels, so the first candidate is checked there.
    [[nodiscard]] bool measures() const { return device_->is_host_memory(); }

private:
    std::shared_ptr<const registry::Device> device_;
    registry::Stream stream_;
    run::Threads threads_;
};

}  // namespace sluice::check
