// Transforms with samples that they take, for their cases: those of samples and those of batches.
#pragma once

#include <optional>
#include <string>

#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"
#include "registry/objects/batch_transform.hpp"

namespace sluice::check {

// A transform that has taken the fields of one kind of sample. `shape` is that of its samples.
class FittedTransform {
public:
    // Throws Error with Exit::config where it takes none of them.
    FittedTransform(Trial& trial, const SampleShape& shape);
    // One that has taken the fields of that sample, and has no others. Throws as above.
    FittedTransform(Trial& trial, const Sample& sample);

    [[nodiscard]] bool is_of_batches() const { return batches_.has_value(); }
    // Throws NotShown where it is of batches.
    [[nodiscard]] const registry::Transform& of_samples() const;
    [[nodiscard]] const registry::BatchTransform& of_batches() const { return *batches_; }
    [[nodiscard]] registry::WorkerContext make_context() const;
    // Another sample for each number.
    [[nodiscard]] Sample sample(std::uint64_t number) const { return sample(number, shape_); }
    [[nodiscard]] Sample sample(std::uint64_t number, const SampleShape& shape) const;
    // A hash of what comes of it, or why nothing does. broken: gets what it has written that is not its own.
    [[nodiscard]] std::string apply(const registry::WorkerContext& context, const Sample& sample,
                                    const sluice_random_key& key, std::string* broken = nullptr) const;
    // All bytes that come of it. waits: as a WaitingBuffer does.
    [[nodiscard]] std::string content(const registry::WorkerContext& context, const Sample& sample,
                                      const sluice_random_key& key, bool waits = false) const;
    // Expects of apply() that it writes all bytes of its fields and none beside them, and the same ones again; that it
    // says why where it refuses. what: "a sample of 1 x 9".
    void expect_sound(const Sample& sample, const std::string& what) const;
    // What apply() has not written differs between two buffers.
    [[nodiscard]] bool leaves_bytes(const registry::WorkerContext& context, const Sample& sample) const;

private:
    void take(Trial& trial, const std::vector<registry::Field>& fields);
    [[nodiscard]] std::string result_of(const registry::WorkerContext& context, const Sample::View& view,
                                        const sluice_random_key& key, SampleBuffer& buffer) const;
    // Nothing where it is done, else why it is refused.
    [[nodiscard]] std::optional<std::string> refusal(const registry::WorkerContext& context, const Sample::View& view,
                                                     const sluice_random_key& key, SampleBuffer& buffer) const;
    [[nodiscard]] bool is_written(const registry::Field& field) const;
    // Of the fields that came in.
    [[nodiscard]] std::string damage_of(const Sample& sample, const Sample::View& view) const;

    SampleShape shape_;
    std::filesystem::path folder_;
    std::uint64_t seed_;
    bool is_reversed_;
    std::size_t kind_ = 0;
    std::optional<registry::Transform> samples_;
    std::optional<registry::BatchTransform> batches_;
};

// What becomes of other fields than those that it needs.
std::span<const Case> transform_field_cases();
// Those that only transforms of batches have; the others skip them.
std::span<const Case> batch_transform_cases();

constexpr sluice_random_key kSampleKey{1, 2, 3};

}  // namespace sluice::check
