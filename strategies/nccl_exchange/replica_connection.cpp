#include "nccl_exchange/replica_connection.hpp"

#include "nccl_exchange/status.hpp"

namespace sluice::nccl {

ReplicaConnection::ReplicaConnection(const ncclUniqueId& id, std::uint32_t rank, std::uint32_t world, bool is_narrow) {
    if (is_narrow) {
        narrow_sum_.emplace();
    }
    communicator_.open(id, rank, world);
}

ReplicaConnection::Stream ReplicaConnection::make_stream() {
    cudaStream_t stream = nullptr;
    int lowest = 0;
    int highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "asking for priorities of streams");
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest), "making a stream");
    return Stream(stream);
}

ReplicaConnection::Event ReplicaConnection::make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
    return Event(event);
}

void ReplicaConnection::start(const sluice_collective& collective, std::uint32_t number) {
    check(cudaEventRecord(ready_.get(), static_cast<cudaStream_t>(collective.stream)), "recording an event");
    check(cudaStreamWaitEvent(stream_.get(), ready_.get(), 0), "waiting for an event");
    marks_.put(number, stream_.get());
    if (narrow_sum_ && NarrowSum::takes(collective)) {
        narrow_sum_->start(collective, communicator_, stream_.get());
    } else {
        communicator_.start(collective, stream_.get());
    }
}

void ReplicaConnection::end() const {
    marks_.put(0, stream_.get());
    check(cudaEventRecord(done_.get(), stream_.get()), "recording an event");
}

void ReplicaConnection::hold(void* stream) const {
    check(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), done_.get(), 0), "waiting for an event");
}

}  // namespace sluice::nccl
