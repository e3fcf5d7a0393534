#include "nccl_exchange/communicator.hpp"

#include <thread>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::nccl {
namespace {

std::string text_of(ncclResult_t result, ncclComm_t communicator) {
    const char* const more = ncclGetLastError(communicator);
    return std::string("NCCL reports: ") + ncclGetErrorString(result) +
           (more != nullptr && *more != '\0' ? std::string(", ") + more : std::string());
}

bool has_failed(ncclResult_t result) { return result != ncclSuccess && result != ncclInProgress; }

void check(ncclResult_t result, ncclComm_t communicator, const char* action) {
    if (has_failed(result)) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, std::string(action) + ": " + text_of(result, communicator));
    }
}

}  // namespace

ncclUniqueId make_id() {
    ncclUniqueId id{};
    check(ncclGetUniqueId(&id), nullptr, "making an id for NCCL");
    return id;
}

void Communicator::open(const ncclUniqueId& id, std::uint32_t rank, std::uint32_t world) {
    const std::lock_guard lock(mutex_);
    rank_ = rank;
    world_ = world;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&communicator_, static_cast<int>(world), id, static_cast<int>(rank), &config),
          communicator_, "opening NCCL");
}

void Communicator::expect_open() const {
    if (communicator_ == nullptr) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, "the exchange between replicas was aborted");
    }
}

bool Communicator::is_ready() {
    const std::lock_guard lock(mutex_);
    expect_open();
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(communicator_, &state), communicator_, "asking NCCL");
    check(state, communicator_, "exchanging between replicas");
    return state == ncclSuccess;
}

// The slice of this rank lies in the range where NCCL expects it for collectives in place.
ncclResult_t Communicator::put_collective(const sluice_collective& collective, cudaStream_t stream) const {
    const ncclDataType_t type = collective.dtype.bits == 64 ? ncclFloat64 : ncclFloat32;
    const std::size_t slice = collective.count / world_;
    void* const data = collective.data;
    void* const own = static_cast<char*>(data) + rank_ * slice * (collective.dtype.bits / 8);
    switch (collective.kind) {
        case SLUICE_COLLECTIVE_MEAN:
            return ncclAllReduce(data, data, collective.count, type, ncclAvg, communicator_, stream);
        case SLUICE_COLLECTIVE_MAX:
            return ncclAllReduce(data, data, collective.count, type, ncclMax, communicator_, stream);
        case SLUICE_COLLECTIVE_REDUCE_SCATTER:
            return ncclReduceScatter(data, own, slice, type, ncclSum, communicator_, stream);
        case SLUICE_COLLECTIVE_ALL_GATHER:
            return ncclAllGather(own, data, slice, type, communicator_, stream);
        default:
            return ncclAllReduce(data, data, collective.count, type, ncclSum, communicator_, stream);
    }
}

template <class Put>
void Communicator::put(const Put& put) {
    {
        const std::lock_guard lock(mutex_);
        expect_open();
        check(put(), communicator_, "exchanging between replicas");
    }
    while (!is_ready()) {  // NCCL enqueues it from a thread of its own
        std::this_thread::yield();
    }
}

void Communicator::start(const sluice_collective& collective, cudaStream_t stream) {
    put([&] { return put_collective(collective, stream); });
}

void Communicator::all_to_all(const std::uint16_t* out, std::uint16_t* in, std::size_t count, cudaStream_t stream) {
    put([&] {
        ncclGroupStart();  // so that no transfer waits for another
        ncclResult_t result = ncclSuccess;
        for (std::uint32_t step = 1; step < world_ && !has_failed(result); ++step) {
            const std::uint32_t to = (rank_ + step) % world_;
            const std::uint32_t from = (rank_ + world_ - step) % world_;
            result = ncclSend(out + to * count, count, ncclBfloat16, static_cast<int>(to), communicator_, stream);
            if (!has_failed(result)) {
                result =
                    ncclRecv(in + from * count, count, ncclBfloat16, static_cast<int>(from), communicator_, stream);
            }
        }
        const ncclResult_t end = ncclGroupEnd();
        return has_failed(result) ? result : end;
    });
}

void Communicator::gather(std::uint16_t* all, std::size_t count, cudaStream_t stream) {
    put([&] { return ncclAllGather(all + rank_ * count, all, count, ncclBfloat16, communicator_, stream); });
}

std::string Communicator::failure() {
    const std::lock_guard lock(mutex_);
    ncclResult_t state = ncclSuccess;
    if (communicator_ == nullptr || ncclCommGetAsyncError(communicator_, &state) != ncclSuccess ||
        state == ncclSuccess || state == ncclInProgress) {
        return {};
    }
    return text_of(state, communicator_);
}

void Communicator::finalize() {
    const std::lock_guard lock(mutex_);
    expect_open();
    check(ncclCommFinalize(communicator_), communicator_, "finalizing NCCL");
}

void Communicator::destroy() {
    const std::lock_guard lock(mutex_);
    expect_open();
    check(ncclCommDestroy(std::exchange(communicator_, nullptr)), nullptr, "closing NCCL");
}

void Communicator::abort() noexcept {
    ncclComm_t ended = nullptr;
    {
        const std::lock_guard lock(mutex_);
        ended = std::exchange(communicator_, nullptr);
    }
    if (ended != nullptr) {
        ncclCommAbort(ended);
    }
}

}  // namespace sluice::nccl
