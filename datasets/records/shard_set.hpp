// Samples from files in Sluice's own format.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "class_names.hpp"
#include "record_formats/shard_file.hpp"
#include "sample_set.hpp"

namespace sluice::records {

class ShardSet final : public SampleSet {
public:
    // Throws Damage if no file is complete, or one has other fields than the first complete one. Throws SLUICE_INVALID
    // if the fields lack what the options name.
    ShardSet(const std::vector<std::filesystem::path>& files, const sdk::Options& options, const sluice_host* host);
    void describe(const sdk::FieldSink& sink) const override;
    [[nodiscard]] std::uint64_t size() const override { return ends_.back(); }
    [[nodiscard]] std::vector<std::string> losses() const override;
    void read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const override;
    void has_windows(std::span<std::uint8_t> windows) const override;
    void extents(std::uint64_t index, std::span<sluice_extent> extents) const override;
    void read_windows(std::uint64_t index, std::span<const sluice_window> windows, const sdk::SampleSink& sink,
                      Bytes& scratch) const override;
    void classes(std::span<std::int64_t> classes) const override;
    void weights(std::span<double> weights) const override;
    [[nodiscard]] std::string_view class_name(std::uint32_t field, std::uint64_t number) const noexcept override;
    [[nodiscard]] std::string name_conflict() const override { return names_.conflict(); }

private:
    // One file. An incomplete file cannot be read and counts as one sample.
    struct Shard {
        std::unique_ptr<ShardFile> file;
        std::string path;
        std::string lost;  // the message about the damage, if `file` is null
    };
    struct Place {
        const ShardFile& shard;
        std::uint64_t sample;
    };
    // Throws Damage if the sample's file is incomplete.
    [[nodiscard]] Place find(std::uint64_t index) const;
    [[nodiscard]] const ShardFile& first() const;
    void choose_fields(const sdk::Options& options);
    template <class Number>
    std::vector<std::uint64_t> read_numbers(std::size_t field, std::span<Number> numbers) const;

    std::vector<Shard> shards_;
    std::vector<std::uint64_t> ends_;  // number of samples up to and including each shard
    std::vector<std::size_t> fields_;  // numbers in the files of a sample's fields
    ClassNames names_;
    std::size_t weight_ = 0;  // number of the field that option 'weights' names; it is not a field of a sample
};

}  // namespace sluice::records
