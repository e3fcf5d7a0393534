// Collectives between the GPUs of the emulated machine. Each rank is driven by a thread of its own. In a collective, a
// rank's stream waits until the streams of all ranks have reached it. In a group of transfers, it waits until all of
// them are complete. As in NCCL without blocking, a call is enqueued only when ncclCommGetAsyncError has reported
// success.
//
// Environment variables:
//   SLUICE_EMULATED_CUDA_CONNECTS=1: the first collective of a kind is enqueued when all ranks have started one.
//   SLUICE_EMULATED_CUDA_PRIORITIES=1: streams of collectives need the highest priority.
//   SLUICE_EMULATED_CUDA_ABORTS=0: aborting a communicator aborts the process.
#include "nccl.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "figures.hpp"
#include "machine.hpp"
#include "transfers.hpp"

using emulated::machine;
using emulated::Transfer;

namespace {

enum class Kind { reduce, scatter, gather };

struct Call {
    Kind kind;
    ncclRedOp_t operation;
    ncclDataType_t type;
    const void* from;
    void* to;
    std::size_t count;  // of a slice, if there are slices
    bool is_recorded = false;

    // NCCL requires that all ranks capture a call or none of them.
    [[nodiscard]] bool fits(const Call& other) const {
        return kind == other.kind && operation == other.operation && type == other.type && count == other.count &&
               is_recorded == other.is_recorded;
    }
};

struct Round {
    std::vector<Call> calls;  // by rank
    int arrived = 0;
    int left = 0;
    bool is_done = false;
    bool is_abandoned = false;  // by an aborted rank, whose memory may be gone: the round never completes
};

struct World {
    std::map<int, int> devices;  // by rank, of the ranks that have joined
    std::map<std::uint64_t, Round> rounds;
    emulated::Transfers transfers;
    int size;
    std::map<Kind, std::set<int>> connects;  // ranks that have started a collective of the kind
    int finalized = 0;                       // number of ranks
};

struct Member {
    std::shared_ptr<World> world;
    int rank;
    int device;
    std::uint64_t rounds = 0;  // that its streams have reached
    bool is_aborted = false;
    bool is_finalized = false;
};

std::map<std::string, std::shared_ptr<World>>& worlds() {
    static auto* const all = new std::map<std::string, std::shared_ptr<World>>;
    return *all;
}

// Sums in the order that kind/strategy.h gives for CPUs.
template <class T>
T fold(const std::vector<Call>& calls, std::size_t element, std::size_t begin, std::size_t end) {
    if (end - begin == 1) {
        return static_cast<const T*>(calls[begin].from)[element];
    }
    std::size_t left = 1;
    while (2 * left < end - begin) {
        left *= 2;
    }
    const T a = fold<T>(calls, element, begin, begin + left);
    const T b = fold<T>(calls, element, begin + left, end);
    return calls.front().operation == ncclMax ? std::max(a, b) : a + b;
}

template <class T>
void compute(const std::vector<Call>& calls) {
    const Call& first = calls.front();
    const std::size_t slices = first.kind == Kind::reduce ? 1 : calls.size();
    std::vector<T> results(first.count * slices);
    for (std::size_t e = 0; e < results.size(); ++e) {
        results[e] = first.kind == Kind::gather ? static_cast<const T*>(calls[e / first.count].from)[e % first.count]
                                                : fold<T>(calls, e, 0, calls.size());
        if (first.operation == ncclAvg) {
            results[e] *= T{1} / static_cast<T>(calls.size());
        }
    }
    for (std::size_t rank = 0; rank < calls.size(); ++rank) {
        const T* const begin = results.data() + (first.kind == Kind::scatter ? rank * first.count : 0);
        std::copy_n(begin, first.kind == Kind::scatter ? first.count : results.size(), static_cast<T*>(calls[rank].to));
    }
}

// Runs as the work of a stream. If the calls of the ranks do not fit each other, none of them completes.
void meet(Member& member, const Call& call) {
    if (member.is_aborted) {
        return;
    }
    World& world = *member.world;
    const std::uint64_t number = member.rounds++;
    if (member.rank == 1 && number == static_cast<std::uint64_t>(emulated::figure("LOST", -1))) {
        machine().wait([&] { return member.is_aborted; });
        return;
    }
    Round& round = world.rounds[number];
    round.calls.resize(static_cast<std::size_t>(world.size), call);
    round.calls[static_cast<std::size_t>(member.rank)] = call;
    const auto fits = [&](const Call& other) { return other.fits(call); };
    if (++round.arrived == world.size && !round.is_abandoned &&
        std::all_of(round.calls.begin(), round.calls.end(), fits)) {
        switch (call.type) {
            case ncclFloat32:
                compute<float>(round.calls);
                break;
            case ncclFloat64:
                compute<double>(round.calls);
                break;
            case ncclBfloat16:
                compute<std::uint16_t>(round.calls);
        }
        round.is_done = true;
        machine().moved.notify_all();
    }
    machine().wait([&] { return round.is_done || member.is_aborted; });
    round.is_abandoned = round.is_abandoned || !round.is_done;
    if (++round.left == world.size) {
        world.rounds.erase(number);
    }
}

// The function of a rank's thread: runs the streams of the rank when other ranks wait for it.
void serve(Member& member) {
    for (bool is_aborted = false; !is_aborted;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        emulated::entry([&](emulated::Machine& gpu) {
            const World& world = *member.world;
            if (!member.is_aborted &&
                (world.rounds.contains(member.rounds) || world.transfers.are_waiting_for(member.rank))) {
                gpu.run([&] { gpu.streams.run_everything(member.device); });
            }
        });
        const std::lock_guard lock(machine().mutex);
        is_aborted = member.is_aborted;
    }
}

}  // namespace

struct ncclComm {
    std::shared_ptr<Member> member;
    std::thread server;
    emulated::Work pending;  // the call that is not enqueued yet
    bool was_asked = false;  // ncclCommGetAsyncError was called for it
    std::string error;
    std::optional<Kind> connecting;  // kind of the pending call
};

namespace {

ncclResult_t refuse(ncclComm_t communicator, const std::string& why) {
    communicator->error = why;
    return ncclInvalidUsage;
}

// Keeps the work until ncclCommGetAsyncError enqueues it.
ncclResult_t put(ncclComm_t communicator, cudaStream_t stream, std::function<void(Member&)> work) {
    emulated::Machine& gpu = machine();
    if (communicator->pending) {
        return refuse(communicator, "the previous call is not complete");
    }
    if (gpu.streams.get(stream).device != communicator->member->device) {
        return refuse(communicator, "the stream belongs to another GPU");
    }
    if (gpu.streams.get(stream).priority != emulated::kHighestPriority && emulated::figure("PRIORITIES", 0) == 1) {
        return refuse(communicator, "the stream has not the highest priority");
    }
    if (communicator->member->is_finalized) {
        return refuse(communicator, "the communicator is finalized");
    }
    communicator->connecting.reset();
    communicator->was_asked = false;
    communicator->pending = [member = communicator->member, work = std::move(work), stream] {
        machine().streams.put_waiting(machine().streams.get(stream), [member, work] { work(*member); });
    };
    return ncclInProgress;
}

// The calls that a thread has put into its open group.
struct Group {
    struct Part {
        std::vector<Transfer> transfers;
        cudaStream_t stream;
    };
    int depth = 0;
    std::map<ncclComm_t, Part> parts;
};

Group& own_group() {
    static thread_local Group group;
    return group;
}

ncclResult_t put(ncclComm_t communicator, Call call, cudaStream_t stream) {
    emulated::Machine& gpu = machine();
    const std::lock_guard lock(gpu.mutex);
    if (own_group().depth > 0) {
        return refuse(communicator, "collectives in groups are not emulated");
    }
    if (call.type == ncclBfloat16 && call.kind != Kind::gather) {
        return refuse(communicator, "sums in bfloat16 are not emulated");
    }
    const std::size_t bytes = call.count * emulated::bytes_of(call.type);
    const std::size_t slices =
        call.kind == Kind::reduce ? 1 : static_cast<std::size_t>(communicator->member->world->size);
    const std::size_t to = call.kind == Kind::gather ? slices : 1;
    const std::size_t from = call.kind == Kind::scatter ? slices : 1;
    if (!gpu.memory.holds(call.from, from * bytes) || !gpu.memory.holds(call.to, to * bytes)) {
        return refuse(communicator, "a range is not in one block of memory");
    }
    call.is_recorded = gpu.streams.get(stream).recording != nullptr;
    const ncclResult_t result = put(communicator, stream, [call](Member& member) { meet(member, call); });
    if (result == ncclInProgress && emulated::figure("CONNECTS", 0) == 1) {
        communicator->connecting = call.kind;
        communicator->member->world->connects[call.kind].insert(communicator->member->rank);
    }
    return result;
}

ncclResult_t put(ncclComm_t communicator, Transfer transfer, cudaStream_t stream) {
    const std::lock_guard lock(machine().mutex);
    Group& group = own_group();
    if (group.depth == 0) {
        return refuse(communicator,
                      "a transfer outside a group is not emulated: it waits for its peer, which may wait, too");
    }
    if (transfer.peer < 0 || transfer.peer >= communicator->member->world->size) {
        return refuse(communicator, "there is no such peer");
    }
    if (!machine().memory.holds(transfer.data, transfer.bytes())) {
        return refuse(communicator, "a range is not in one block of memory");
    }
    Group::Part& part = group.parts.try_emplace(communicator, Group::Part{{}, stream}).first->second;
    if (part.stream != stream) {
        return refuse(communicator, "groups on several streams are not emulated");
    }
    transfer.is_recorded = machine().streams.get(stream).recording != nullptr;
    part.transfers.push_back(transfer);
    return ncclSuccess;
}

}  // namespace

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    static int last = 0;
    const std::lock_guard lock(machine().mutex);
    *id = {};
    const std::string text = std::to_string(++last);
    text.copy(id->internal, sizeof(id->internal));
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
    if (config->blocking != 0) {
        return ncclInvalidArgument;  // not emulated
    }
    emulated::Machine& gpu = machine();
    const std::lock_guard lock(gpu.mutex);
    std::shared_ptr<World>& world = worlds()[id.internal];
    if (world == nullptr) {
        world = std::make_shared<World>(World{{}, {}, {}, ranks, {}, 0});
    }
    world->devices[rank] = gpu.device();
    const auto member = std::make_shared<Member>(Member{world, rank, gpu.device()});
    *communicator = new ncclComm{member, std::thread([member] { serve(*member); }), {}, false, {}, {}};
    return ncclInProgress;
}

// Reports success only after all ranks have joined. NCCL accepts each GPU only once.
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* state) {
    const std::lock_guard lock(machine().mutex);
    const Member& own = *communicator->member;
    *state = ncclInProgress;
    if (static_cast<int>(own.world->devices.size()) < own.world->size) {
        return ncclSuccess;
    }
    for (const auto& [rank, device] : own.world->devices) {
        if (rank != own.rank && device == own.device) {
            *state = refuse(communicator, "Duplicate GPU detected");
            return ncclSuccess;
        }
    }
    if (own.is_finalized) {
        *state = own.world->finalized == own.world->size ? ncclSuccess : ncclInProgress;
        return ncclSuccess;
    }
    if (communicator->pending && communicator->connecting &&
        static_cast<int>(own.world->connects[*communicator->connecting].size()) < own.world->size) {
        return ncclSuccess;
    }
    if (communicator->pending && !communicator->was_asked) {
        communicator->was_asked = true;
        return ncclSuccess;
    }
    if (communicator->pending) {
        try {
            communicator->pending();
        } catch (const emulated::Failure& failure) {
            communicator->error = failure.text;
            *state = ncclUnhandledCudaError;
            return ncclSuccess;
        }
        communicator->pending = nullptr;
    }
    *state = ncclSuccess;
    return ncclSuccess;
}

namespace {

// Destroys the communicator; no call may use it any more.
void destroy_communicator(ncclComm_t communicator) {
    communicator->server.join();
    delete communicator;
}

}  // namespace

// Stays in progress until all ranks have called it.
ncclResult_t ncclCommFinalize(ncclComm_t communicator) {
    const std::lock_guard lock(machine().mutex);
    if (std::exchange(communicator->member->is_finalized, true)) {
        return refuse(communicator, "the communicator is finalized");
    }
    ++communicator->member->world->finalized;
    return ncclInProgress;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
    {
        const std::lock_guard lock(machine().mutex);
        const Member& own = *communicator->member;
        if (own.world->finalized < own.world->size) {
            return refuse(communicator, "the communicator is destroyed before all ranks have finalized");
        }
        communicator->member->is_aborted = true;  // stops its thread
    }
    destroy_communicator(communicator);
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
    if (emulated::figure("ABORTS", 1) == 0) {
        std::fputs("emulated NCCL: a communicator was aborted\n", stderr);
        std::abort();
    }
    {
        const std::lock_guard lock(machine().mutex);
        communicator->member->is_aborted = true;
        machine().streams.end_waiting();
        machine().moved.notify_all();
    }
    destroy_communicator(communicator);
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
    return result == ncclInvalidUsage ? "invalid usage" : result == ncclSuccess ? "no error" : "an error";
}

const char* ncclGetLastError(ncclComm_t communicator) {
    return communicator == nullptr ? "" : communicator->error.c_str();
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t communicator, cudaStream_t stream) {
    return put(communicator, {Kind::reduce, operation, type, from, to, count}, stream);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t communicator, cudaStream_t stream) {
    return put(communicator, {Kind::scatter, operation, type, from, to, count}, stream);
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t communicator,
                           cudaStream_t stream) {
    return put(communicator, {Kind::gather, ncclSum, type, from, to, count}, stream);
}

ncclResult_t ncclGroupStart() {
    ++own_group().depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    const std::lock_guard lock(machine().mutex);
    Group& group = own_group();
    if (group.depth == 0) {
        return ncclInvalidUsage;
    }
    if (--group.depth > 0) {
        return ncclSuccess;
    }
    ncclResult_t result = ncclSuccess;
    for (auto& [communicator, part] : std::exchange(group.parts, {})) {
        const auto work = [transfers = std::move(part.transfers)](Member& member) {
            if (!member.is_aborted) {
                member.world->transfers.meet(member.rank, transfers, member.is_aborted);
            }
        };
        if (const ncclResult_t put_as = put(communicator, part.stream, work); result != ncclInvalidUsage) {
            result = put_as;
        }
    }
    return result;
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
    return put(communicator, Transfer{true, peer, type, const_cast<void*>(from), count}, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
    return put(communicator, Transfer{false, peer, type, to, count}, stream);
}
