// Copies the fields of batches to where a program reads them, on an asynchronous device through an upload queue.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "run/network/program.hpp"
#include "run/upload/upload_queue.hpp"

namespace sluice::run {

class BatchFeed {
public:
    // `slots`: batches that the upload queue keeps; 0: no queue. `uploads_once`: with a queue, each program computes on
    // the batch that was uploaded for it last, unless another program was fed in between.
    BatchFeed(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots, bool uploads_once);

    // Calls UploadQueue::make_room() for batches of this program.
    void make_room(const Program& program);
    // Enqueues the copy of the batch. Returns the batch's number in the upload queue; 0 without a queue.
    std::uint64_t feed(const Program& program, const data::Batch& batch);
    // Null if there is no upload queue.
    [[nodiscard]] UploadQueue* upload_queue() { return queue_ ? &*queue_ : nullptr; }

private:
    std::span<const data::NamedTensor* const> fields_fed(const Program& program, const data::Batch& batch);

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    std::optional<UploadQueue> queue_;
    std::vector<const data::NamedTensor*> fields_;
    bool uploads_once_;
    const Program* last_ = nullptr;  // that was fed; only its address is used
    std::uint64_t last_number_ = 0;
};

}  // namespace sluice::run
