// Runs the programs of a replica's network on its stream, one at a time: uploads batches to them, and reads their
// tensors back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/batch.hpp"
#include "plan/plan.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/optimizer.hpp"
#include "run/collective/replica_sums.hpp"
#include "run/network/device_clock.hpp"
#include "run/network/network.hpp"
#include "run/network/replica_place.hpp"
#include "run/network/stream_spans.hpp"
#include "run/network/tensor_reader.hpp"
#include "run/network/threads.hpp"
#include "run/upload/batch_feed.hpp"

namespace sluice::run {

class NetworkRunner {
public:
    // See Network::Network().
    NetworkRunner(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
                  std::span<const registry::Field> fields, int threads, const ReplicaPlace& place);

    [[nodiscard]] Network& network() { return network_; }
    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] BatchFeed& batch_feed() { return feed_; }
    [[nodiscard]] TensorReader& reader() { return reader_; }

    // Makes the program for batches of this shape the program in use, and returns it. Throws as Network::program().
    Program& use(plan::Mode mode, const data::Batch& batch);
    [[nodiscard]] const Program& used() const { return *used_; }

    // Starts the upload of a batch to the program in use. Returns the batch's number in the upload queue.
    std::uint64_t feed(const data::Batch& batch) { return feed_.feed(*used_, batch); }
    // Call it before forward, since kernels may read parameters, or their average, in 16 bits. Returns false if there
    // is nothing to round.
    bool round_parameters(bool averaged) {
        return network_.weights().refresh_rounded(averaged, stream(), *threads_.api());
    }
    void forward() { used_->executor->forward(network_.weights().version()); }
    // Runs forward of this micro-batch again, on this replica alone. Returns the first layer whose output is not
    // finite.
    [[nodiscard]] std::optional<std::string> first_not_finite(const data::Batch& micro_batch);
    // Waits until the stream is idle.
    void wait() const { device_->wait(stream()); }

    // Results of the program in use, as float32. The values are valid until the next call.
    [[nodiscard]] std::span<const float> tensor(plan::TensorId id) { return reader_.read(*used_, id); }
    // Empty: the tensor has no gradient.
    [[nodiscard]] std::span<const float> gradient(plan::TensorId id);
    // Returns `count` parameter gradients from `offset` on in their buffer, in the same way.
    [[nodiscard]] std::span<const float> parameter_gradients(std::uint64_t offset, std::int64_t count);

    [[nodiscard]] const std::shared_ptr<const registry::Device>& device() const { return device_; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }
    [[nodiscard]] const sluice_threads* threads() const { return threads_.api(); }
    // The threads that the device's work may use; null unless the device is the CPU.
    [[nodiscard]] const sluice_threads* device_threads() const {
        return device_->is_host_memory() ? threads() : nullptr;
    }
    // The scalars that launches read, in device memory.
    [[nodiscard]] sluice_step_scalars* scalars() const {
        return reinterpret_cast<sluice_step_scalars*>(scalars_.data());
    }
    [[nodiscard]] ReplicaSums& replica_sums() { return replica_sums_; }
    [[nodiscard]] DeviceClock& clock() { return clock_; }
    [[nodiscard]] StreamSpans& spans() { return spans_; }

private:
    std::shared_ptr<const registry::Device> device_;
    Threads threads_;
    registry::Stream stream_;
    TensorReader reader_;
    registry::Block scalars_;
    ReplicaSums replica_sums_;
    DeviceClock clock_;
    StreamSpans spans_;
    Network network_;
    BatchFeed feed_;
    const Program* used_;
};

}  // namespace sluice::run
