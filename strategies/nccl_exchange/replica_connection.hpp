// One replica of this process needs this on its GPU for collectives: a communicator, marks, and a stream besides the
// one on which it computes. The stream has the highest priority, because all GPUs wait for a collective that one of
// them has not begun.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <type_traits>

#include "nccl_exchange/communicator.hpp"
#include "nccl_exchange/marks.hpp"
#include "nccl_exchange/narrow_sum.hpp"

namespace sluice::nccl {

class ReplicaConnection {
public:
    // Uses the GPU of the calling thread and begins to connect to the other ranks. `is_narrow`: ranges that may be sent
    // as bfloat16 are.
    ReplicaConnection(const ncclUniqueId& id, std::uint32_t rank, std::uint32_t world, bool is_narrow);

    [[nodiscard]] bool is_ready() { return communicator_.is_ready(); }
    [[nodiscard]] std::string failure() { return communicator_.failure(); }
    void finalize() { communicator_.finalize(); }
    void destroy() { communicator_.destroy(); }
    void abort() noexcept { communicator_.abort(); }

    // Starts the collective when its stream has come here, after those started before. Its mark is `number`.
    void start(const sluice_collective& collective, std::uint32_t number);
    // Sets mark 0 when all of them are done.
    void end() const;
    // Makes the stream wait until then.
    void hold(void* stream) const;

    [[nodiscard]] const Marks& marks() const { return marks_; }

private:
    struct Destroy {
        void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
        void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
    };
    using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy>;
    using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;

    static Stream make_stream();
    static Event make_event();

    Stream stream_ = make_stream();
    Event ready_ = make_event();  // recorded on the compute stream before a collective
    Event done_ = make_event();
    Marks marks_{stream_.get()};
    std::optional<NarrowSum> narrow_sum_;
    Communicator communicator_;
};

}  // namespace sluice::nccl
