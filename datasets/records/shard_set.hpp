// Samples from files of our own format.
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
    // Throws Damage where no file is whole, or one has other fields than the first of them, and SLUICE_INVALID where
    // these lack what the options name.
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
    // One file; of one that is not whole nothing can be read, and it counts as one sample.
    struct Shard {
        std::unique_ptr<ShardFile> file;
        std::string path;
        std::string lost;  // what is wrong with it, where there is no file
    };
    struct Place {
        const ShardFile& shard;
        std::uint64_t sample;
    };
    // Throws Damage where that file is not whole.
    [[nodiscard]] Place find(std::uint64_t index) const;
    [[nodiscard]] const ShardFile& first() const;
    void choose_fields(const sdk::Options& options);
    template <class Number>
    std::vector<std::uint64_t> read_numbers(std::size_t field, std::span<Number> numbers) const;

    std::vector<Shard> shards_;
    std::vector<std::uint64_t> ends_;  // samples up to and with each shard
    std::vector<std::size_t> fields_;  // those of a sample, by their numbers in the files
    ClassNames names_;
    std::size_t weight_ = 0;  // the field that option 'weights' names, which is none of a sample
};

}  // namespace sluice::records
