// One batch while its samples arrive, in any order and from several threads. Private to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/loader/arrived_samples.hpp"
#include "data/loader/epoch_digest.hpp"
#include "data/loader/loader.hpp"

namespace sluice::data {

// What fails, fails the same way for any number of threads: all samples are awaited, then the failure of the lowest
// position counts.
class BatchSlot {
public:
    // `fields`: which of a sample's fields go into the batch; `announced`: all that it has; `whole`: samples in most
    // batches.
    BatchSlot(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced, std::int64_t whole);

    // Starts on a batch of `count` samples, of which those of `own` will be put. Throws where there is no memory for
    // it.
    void open(std::uint64_t epoch, std::uint64_t number, std::int64_t count, const SampleRange& own);
    [[nodiscard]] const SampleRange& own() const { return batch_.made; }
    // Where that threw: one failure is awaited, and no sample.
    void refuse() {
        batch_.made.end = batch_.made.begin + 1;
        missing_ = 1;
    }
    // Bytes of its buffers, which it keeps from batch to batch.
    [[nodiscard]] std::uint64_t held() const;
    // The same once it is opened for so many, and once its first sample has given it shapes.
    [[nodiscard]] std::uint64_t held_of(std::int64_t count) const;
    [[nodiscard]] std::uint64_t held_with(const Sample& sample) const;
    // Frees them, while it is not open.
    void release();
    // For each field of a sample, where its bytes belong in the batch; null where that is not known yet, or nowhere.
    void find_places(std::int64_t position, std::vector<std::uint8_t*>& places);
    // Puts a sample into its place, where it may lie already. The batch has shapes; where the sample has others, the
    // batch fails.
    void put(std::int64_t position, std::uint64_t index, const Sample& sample);
    // The functions below are called under the mutex of those that put.
    // The first sample to arrive gives the shapes that were not announced.
    void take_shape(const Sample& sample);
    [[nodiscard]] bool is_shaped() const { return shaped_; }
    void fail(std::int64_t position, std::exception_ptr failure) { failure_.add(position, std::move(failure)); }
    void replace(BadSample sample) { replaced_.push_back(std::move(sample)); }
    // Instead of put(): nothing takes its place.
    void leave_out(BadSample sample);
    [[nodiscard]] const std::vector<BadSample>& replaced() const { return replaced_; }
    // Whether it was the last: then the caller does what is left to do to the batch, and closes it.
    [[nodiscard]] bool finish_one() { return --missing_ == 0; }
    // The batch, of which all samples are there; null where it will fail.
    [[nodiscard]] Batch* good() { return !failure_.is_there() && !mixed_ ? &batch_ : nullptr; }
    void close();
    [[nodiscard]] std::int64_t count() const { return batch_.count; }
    // Of its fields.
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] bool is_whole() const { return whole_; }
    // The batch, or its failure. `purpose` opens the message.
    [[nodiscard]] const Batch& result(const std::string& purpose) const;
    // Of a batch that is whole.
    void add_to(EpochDigest& digest) const { arrived_.add_to(digest); }
    // Its own samples; `first`: the position of the batch's first in the epoch.
    void add_to(std::vector<SampleHash>& samples, std::uint64_t first) const {
        arrived_.add_to(samples, batch_.made, first);
    }

private:
    // The failure of the lowest position of those that were added.
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
    std::size_t sample_fields_;                  // how many a sample has
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
