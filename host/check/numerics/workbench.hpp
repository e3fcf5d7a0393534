// A device opened for checks: what every launch on it needs.
#pragma once

#include <memory>
#include <utility>

#include "registry/objects/objects.hpp"
#include "run/network/threads.hpp"

namespace sluice::check {

class Workbench {
public:
    // Divides few shapes evenly: pieces of unequal length are checked too.
    static constexpr int kThreads = 3;

    explicit Workbench(std::shared_ptr<const registry::Device> device, int threads = kThreads)
        : device_(std::move(device)), stream_(device_), threads_(threads) {}
    [[nodiscard]] const std::shared_ptr<const registry::Device>& device() const { return device_; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }
    // NULL on devices other than the CPU.
    [[nodiscard]] const sluice_threads* threads() const { return device_->is_host_memory() ? threads_.api() : nullptr; }

    // Whether kernels are chosen by measuring, as on the CPU, where it is done at once. On a GPU each way takes seconds
    // to prepare, and checks plan hundreds of kernels: there the first that is proposed is checked.
    [[nodiscard]] bool measures() const { return device_->is_host_memory(); }

private:
    std::shared_ptr<const registry::Device> device_;
    registry::Stream stream_;
    run::Threads threads_;
};

}  // namespace sluice::check
