// Transforms of samples or of batches, with samples that they accept, for their cases.
#pragma once

#include <optional>
#include <string>

#include "base/error.hpp"
#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"
#include "registry/optional/batch_transform.hpp"

namespace sluice::check {

// A transform that has accepted the fields of one kind of sample.
class FittedTransform {
public:
    // Records what apply() did with a sample.
    struct Outcome {
        std::string result;          // a hash of its bytes, or why it was refused
        bool has_reason = true;      // false: it was refused without a reason
        std::string wrong_writes{};  // names the memory that apply() wrote but must not; empty: none
    };

    // Offers all kinds of samples of this shape until the transform accepts one. Throws Error(Exit::config) if it
    // accepts none.
    FittedTransform(Trial& trial, const SampleShape& shape);
    // Offers only the fields of `sample`. Throws Error(Exit::config) if the transform refuses them.
    FittedTransform(Trial& trial, const Sample& sample);

    [[nodiscard]] bool is_of_batches() const { return batches_.has_value(); }
    // Throws CaseSkipped if it is a batch transform.
    [[nodiscard]] const registry::Transform& of_samples() const;
    [[nodiscard]] const registry::BatchTransform& of_batches() const { return *batches_; }
    [[nodiscard]] registry::WorkerContext make_context() const;
    // Each number gives another sample.
    [[nodiscard]] Sample sample(std::uint64_t number) const { return sample(number, shape_); }
    [[nodiscard]] Sample sample(std::uint64_t number, const SampleShape& shape) const;
    [[nodiscard]] Outcome outcome(const registry::WorkerContext& context, const Sample& sample,
                                  const sluice_random_key& key) const;
    // Returns a hash of the result, or why the sample was refused.
    [[nodiscard]] std::string apply(const registry::WorkerContext& context, const Sample& sample,
                                    const sluice_random_key& key) const {
        return outcome(context, sample, key).result;
    }
    // Returns all bytes of the result, or why the sample was refused. `waits` is that of YieldingBuffer.
    [[nodiscard]] std::string content(const registry::WorkerContext& context, const Sample& sample,
                                      const sluice_random_key& key, bool waits = false) const;
    // Expects apply() to write all bytes of its fields, none beside them, and the same ones again. If it refuses, it
    // must give a reason. `what` names the sample in messages: "a sample of 1 x 9".
    void expect_sound(const Sample& sample, const std::string& what) const;
    // True if apply() leaves bytes unwritten: they differ between two buffers that were filled differently.
    [[nodiscard]] bool leaves_bytes(const registry::WorkerContext& context, const Sample& sample) const;

private:
    void take(Trial& trial, const std::vector<registry::Field>& fields);
    // Applies the transform. Does not look for wrong writes.
    [[nodiscard]] Outcome apply_to(const registry::WorkerContext& context, const Sample::View& view,
                                   const sluice_random_key& key, SampleBuffer& buffer) const;
    // Applies the transform. Returns why the sample was refused; nothing if it was not.
    [[nodiscard]] std::optional<Error> refusal(const registry::WorkerContext& context, const Sample::View& view,
                                               const sluice_random_key& key, SampleBuffer& buffer) const;
    [[nodiscard]] bool is_written(const registry::Field& field) const;
    // Describes wrong writes to the input fields; empty: none.
    [[nodiscard]] std::string damage_of(const Sample& sample, const Sample::View& view) const;

    SampleShape shape_;
    std::filesystem::path folder_;
    std::uint64_t seed_;
    bool is_reversed_;
    std::size_t kind_ = 0;
    std::optional<registry::Transform> samples_;
    std::optional<registry::BatchTransform> batches_;
};

// Cases with other fields than the transform needs.
std::span<const Case> transform_field_cases();
// Cases for batch transforms; they are skipped for others.
std::span<const Case> batch_transform_cases();

constexpr sluice_random_key kSampleKey{1, 2, 3};

}  // namespace sluice::check
