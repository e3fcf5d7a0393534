// A batch that is being filled by several threads, in any order. Private to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/chain/sample.hpp"
#include "data/loader/arrived_samples.hpp"
#include "data/loader/batch.hpp"
#include "data/loader/epoch_digest.hpp"
#include "registry/objects/field.hpp"

namespace sluice::data {

// Failures do not depend on the number of threads: the slot waits for all samples and then reports the failure with the
// lowest position.
class BatchSlot {
public:
    // `fields`: numbers of the sample's fields that go into the batch; `announced`: all fields of a sample; `whole`:
    // samples in a whole batch.
    BatchSlot(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced, std::int64_t whole);

    // Starts a batch of `count` samples, of which this process puts those in `own`. Throws if memory runs out.
    void open(std::uint64_t epoch, std::uint64_t number, std::int64_t count, const SampleRange& own);
    [[nodiscard]] const SampleRange& own() const { return batch_.made; }
    // Called if open() threw: the slot then expects one failure and no samples.
    void refuse() {
        batch_.made.end = batch_.made.begin + 1;
        missing_ = 1;
    }
    // Bytes of its buffers, which it keeps from batch to batch.
    [[nodiscard]] std::uint64_t held() const;
    // The value of held() after open() for `count` samples, and after take_shape() of `sample`.
    [[nodiscard]] std::uint64_t held_after_open(std::int64_t count) const;
    [[nodiscard]] std::uint64_t held_after_shape(const Sample& sample) const;
    // Frees the buffers. The slot must not be open.
    void release();
    // Sets `places`, for each field of a sample, to the address of its bytes in the batch. Null: the field is not in
    // the batch, or its shape is not known yet.
    void find_places(std::int64_t position, std::vector<std::uint8_t*>& places);
    // Copies a sample to its place in the batch, unless it lies there already. Call it after take_shape(). The batch
    // fails if the sample has other shapes.
    void put(std::int64_t position, std::uint64_t index, const Sample& sample);
    // Callers of the functions below hold the queue's mutex.
    // Takes the shapes that were not announced from the first sample that arrives.
    void take_shape(const Sample& sample);
    [[nodiscard]] bool is_shaped() const { return shaped_; }
    void fail(std::int64_t position, std::exception_ptr failure) { failure_.add(position, std::move(failure)); }
    void replace(BadSample sample) { replaced_.push_back(std::move(sample)); }
    // Called instead of put() for a bad sample that no other replaces.
    void leave_out(BadSample sample);
    [[nodiscard]] const std::vector<BadSample>& replaced() const { return replaced_; }
    // Counts one finished sample. True if it was the last: the caller then applies the transforms of whole batches and
    // calls close().
    [[nodiscard]] bool finish_one() { return --missing_ == 0; }
    // The batch after its last sample; null if it failed.
    [[nodiscard]] Batch* good() { return !failure_.is_there() && !mixed_ ? &batch_ : nullptr; }
    void close();
    [[nodiscard]] std::int64_t count() const { return batch_.count; }
    // Bytes of the batch's fields.
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] bool is_whole() const { return whole_; }
    // Returns the batch, or throws its failure. `purpose` opens the message.
    [[nodiscard]] const Batch& result(const std::string& purpose) const;
    // Adds all samples of a whole batch to the digest.
    void add_to(EpochDigest& digest) const { arrived_.add_to(digest); }
    // Appends the hashes of this process's samples. `first`: position of the batch's first sample in the epoch.
    void add_to(std::vector<SampleHash>& samples, std::uint64_t first) const {
        arrived_.add_to(samples, batch_.made, first);
    }

private:
    // Keeps the failure with the lowest position.
    class LowestFailure {
    public:
        void clear() { failure_ = nullptr; }
        void add(std::int64_t position, std::exception_ptr failure);
        [[nodiscard]] bool is_there() const { return failure_ != nullptr; }
        [[noreturn]] void rethrow() const { std::rethrow_exception(failure_); }

    private:
        std::exception_ptr failure_;
        std::int64_t position_ = 0;
    };

    [[nodiscard]] std::uint8_t* place_of(std::size_t field, std::int64_t position);
    [[nodiscard]] bool has_shape_of(const Sample& sample) const;
    [[nodiscard]] std::uint64_t held_by(std::size_t field, std::int64_t count, const sluice_tensor_spec& sample) const;
    void shape(std::size_t field, const sluice_tensor_spec& sample);

    std::vector<std::size_t> fields_;
    std::vector<sluice_tensor_spec> announced_;  // of fields_
    std::size_t sample_fields_;                  // number of fields in a sample
    std::int64_t whole_count_;
    Batch batch_;
    ArrivedSamples arrived_;
    std::vector<BadSample> replaced_;
    std::int64_t missing_ = 0;
    bool whole_ = false;
    bool shaped_ = false;
    std::atomic<bool> mixed_{false};
    LowestFailure failure_;
};

}  // namespace sluice::data
