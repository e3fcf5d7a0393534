#include "run/upload/batch_feed.hpp"

#include <algorithm>
#include <utility>

#include "profile/recorder.hpp"

namespace sluice::run {
namespace {

std::uint64_t bytes_of(std::span<const data::NamedTensor* const> fields) {
    std::uint64_t bytes = 0;
    for (const data::NamedTensor* const field : fields) {
        bytes += byte_count(field->tensor.spec);
    }
    return bytes;
}

}  // namespace

BatchFeed::BatchFeed(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots, bool uploads_once)
    : device_(std::move(device)), stream_(stream), uploads_once_(uploads_once) {
    if (slots > 0) {
        queue_.emplace(device_, stream_, slots);
    }
}

// Returns the fields in the order of the program's feeds.
std::span<const data::NamedTensor* const> BatchFeed::fields_fed(const Program& program, const data::Batch& batch) {
    fields_.clear();
    for (const plan::Feed& feed : program.plan.graph.feeds) {
        fields_.push_back(&*std::ranges::find(batch.fields, feed.field, &data::NamedTensor::name));
    }
    return fields_;
}

void BatchFeed::make_room(const Program& program) {
    if (queue_) {
        std::vector<std::uint64_t> sizes;
        for (const plan::Feed& feed : program.plan.graph.feeds) {
            sizes.push_back(byte_count(program.plan.graph.tensors[feed.tensor].spec));
        }
        queue_->make_room(sizes);
    }
}

std::uint64_t BatchFeed::feed(const Program& program, const data::Batch& batch) {
    const auto fields = fields_fed(program, batch);
    const profile::Recording upload(SLUICE_SPAN_UPLOAD, "batch",
                                    {.sample = static_cast<std::int64_t>(batch.number), .bytes = bytes_of(fields)});
    if (queue_) {
        const bool is_there = uploads_once_ && last_ == &program && queue_->holds(last_number_);
        last_number_ = is_there ? last_number_ : queue_->upload(fields);
        last_ = &program;
        queue_->spread(last_number_, program.places);
        return last_number_;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        device_->copy(program.places[i], fields[i]->tensor.bytes.data(), byte_count(fields[i]->tensor.spec), stream_);
    }
    return 0;
}

}  // namespace sluice::run
