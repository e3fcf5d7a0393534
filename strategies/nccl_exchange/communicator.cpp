#include "nccl_exchange/communicator.hpp"

#include <thread>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::nccl {
namespace {

std::string text_of(ncclResult_t result, ncclComm_t communicator) {
    const char* const more = ncclGetLastError(communicator);
    return std::string("NCCL says: ") + ncclGetErrorString(result) +
           (more != nullptr && *more != '\0' ? std::string(", ") + more : std::string());
}

void check(ncclResult_t result, ncclComm_t communicator, const char* action) {
    if (result != ncclSuccess && result != ncclInProgress) {
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

ncclComm_t Communicator::expect_open() const {
    if (communicator_ == nullptr) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, "the exchange between replicas was ended");
    }
    return communicator_;
}

bool Communicator::is_ready() {
    const std::lock_guard lock(mutex_);
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(expect_open(), &state), communicator_, "asking NCCL");
    check(state, communicator_, "exchanging between replicas");
    return state == ncclSuccess;
}

// The slice of this rank lies in the range where NCCL expects it of what is done in place.
ncclResult_t Communicator::put(const sluice_collective& collective, cudaStream_t stream) const {
    ncclComm_t const communicator = expect_open();
    const ncclDataType_t type = collective.dtype.bits == 64 ? ncclFloat64 : ncclFloat32;
    const std::size_t slice = collective.count / world_;
    void* const data = collective.data;
    void* const own = static_cast<char*>(data) + rank_ * slice * (collective.dtype.bits / 8);
    switch (collective.kind) {
        case SLUICE_COLLECTIVE_MEAN:
            return ncclAllReduce(data, data, collective.count, type, ncclAvg, communicator, stream);
        case SLUICE_COLLECTIVE_MAX:
            return ncclAllReduce(data, data, collective.count, type, ncclMax, communicator, stream);
        case SLUICE_COLLECTIVE_REDUCE_SCATTER:
            return ncclReduceScatter(data, own, slice, type, ncclSum, communicator, stream);
        case SLUICE_COLLECTIVE_ALL_GATHER:
            return ncclAllGather(own, data, slice, type, communicator, stream);
        default:
            return ncclAllReduce(data, data, collective.count, type, ncclSum, communicator, stream);
    }
}

void Communicator::start(const sluice_collective& collective, cudaStream_t stream) {
    {
        const std::lock_guard lock(mutex_);
        check(put(collective, stream), communicator_, "exchanging between replicas");
    }
    while (!is_ready()) {  // NCCL puts it there from a thread of its own
        std::this_thread::yield();
    }
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
