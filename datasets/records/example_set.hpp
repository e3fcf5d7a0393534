// Samples from TFRecord files with tf.train.Example records.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "example_fields.hpp"
#include "record_formats/tfrecord.hpp"
#include "sample_set.hpp"

namespace sluice::records {

class ExampleSet final : public SampleSet {
public:
    // Throws Damage if no record can be read.
    ExampleSet(const std::vector<std::filesystem::path>& files, const sdk::Options& options);
    void describe(const sdk::FieldSink& sink) const override;
    [[nodiscard]] std::uint64_t size() const override { return ends_.back(); }
    [[nodiscard]] std::vector<std::string> losses() const override;
    void read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const override;
    void classes(std::span<std::int64_t> classes) const override;
    // Reads all records up to weights.size().
    void weights(std::span<double> weights) const override;
    // "image = image/encoded (encoded), label = label (class)"
    [[nodiscard]] std::string mapping() const;

private:
    void choose_by_first(const sdk::Options& options);

    std::vector<std::unique_ptr<TfRecordFile>> files_;
    std::vector<std::uint64_t> ends_;  // number of records up to and including each file
    std::vector<ExampleField> fields_;
    std::int64_t first_class_;
    std::string weight_;  // name of the feature; empty: none
};

}  // namespace sluice::records
