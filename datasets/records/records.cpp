// Source `records`: prepared samples, in Sluice's own files or in TFRecord files.
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "example_set.hpp"
#include "file_list.hpp"
#include "record_formats/damage.hpp"
#include "shard_set.hpp"
#include "shared_files/file_identity.hpp"
#include "shared_files/missing_files.hpp"
#include "sluice/sdk/plugin.hpp"
#include "weights.hpp"

namespace sluice::records {
namespace {

// Turns Damage into the failure that the host expects.
template <class Action>
auto with_failures(const Action& action) {
    try {
        return action();
    } catch (const Damage& damage) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, damage.what());
    }
}

bool is_ours(const std::filesystem::path& path) {
    const InputFile file(path);
    std::array<std::uint8_t, 8> head{};
    const std::uint64_t found = file.read_some(head.data(), head.size(), 0);
    return ShardFile::is_one(ByteSpan(head).first(static_cast<std::size_t>(found))) || path.extension() == ".records";
}

std::unique_ptr<SampleSet> open_set(sdk::Host host, const sdk::Options& options,
                                    const std::vector<std::filesystem::path>& files) {
    const bool ours = is_ours(files.front());
    for (const std::filesystem::path& file : files) {
        if (is_ours(file) != ours) {
            throw Damage(file.string() + " and " + files.front().string() +
                         " are of different formats; a source reads one of them");
        }
    }
    if (ours) {
        for (const char* option : {"fields", "features", "kinds"}) {
            if (options.has(option)) {
                throw sdk::Failure(SLUICE_INVALID, std::string("option '") + option + "' is for TFRecord files; " +
                                                       files.front().string() + " names its fields itself");
            }
        }
        return std::make_unique<ShardSet>(files, options, host.raw());
    }
    auto set = std::make_unique<ExampleSet>(files, options);
    if (!options.has("fields")) {
        host.info("records: " + set->mapping() + ", by the first record of " + files.front().string());
    }
    return set;
}

// Lists the files. Missing ones are in the result only if each counts as a bad sample.
FileList files_of(const sdk::Host& host, const sdk::Options& options) {
    FileList found = with_failures([&] { return list_files(options.string("path")); });
    if (options.boolean("missing_shards")) {
        if (options.boolean("missing_is_bad")) {
            throw sdk::Failure(SLUICE_INVALID,
                               "options 'missing_shards' and 'missing_is_bad' exclude each other: the first leaves "
                               "missing files out, the second counts them as bad samples");
        }
        found.missing.clear();
    }
    shared_files::report_missing(host, options, found.missing, found.files.size() + found.missing.size(),
                                 "missing_shards = true leaves missing files out, ");
    return found;
}

struct Context : sdk::WorkerContext {
    Bytes scratch;
};

class Records : public sdk::Source,
                public sdk::WindowSource,
                public sdk::Identity,
                public sdk::Sampling,
                public sdk::ClassNames {
public:
    Records(sdk::Host host, const sdk::Options& options)
        : found_(files_of(host, options)),
          set_(with_failures([&] { return open_set(host, options, found_.files); })),
          length_(set_->size() + found_.missing.size()),
          has_weights_(options.has("weights")) {
        if (length_ == 0) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE, "option 'path': '" + options.string("path") + "' holds no sample");
        }
        for (const std::string& loss : set_->losses()) {
            host.warn("records: " + loss + "; the unreadable part of this file counts as one bad sample");
        }
        if (const std::string conflict = set_->name_conflict(); !conflict.empty()) {
            host.warn("records: " + conflict + "; class numbers are shown without names");
        }
        if (const auto limit = options.maybe_integer("limit")) {
            length_ = std::min(length_, static_cast<std::uint64_t>(*limit));
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        with_failures([&] { set_->describe(sink); });
        sink.length(length_);
    }

    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override {
        return std::make_unique<Context>();
    }

    void read(sdk::WorkerContext& context, std::uint64_t index, std::uint64_t,
              const sdk::SampleSink& sink) const override {
        expect_there(index);
        with_failures([&] { set_->read(index, sink, static_cast<Context&>(context).scratch); });
    }

    void has_windows(std::span<std::uint8_t> windows) const override { set_->has_windows(windows); }

    void extents(sdk::WorkerContext&, std::uint64_t index, std::uint64_t,
                 std::span<sluice_extent> extents) const override {
        expect_there(index);
        with_failures([&] { set_->extents(index, extents); });
    }

    void read_windows(sdk::WorkerContext& context, std::uint64_t index, std::uint64_t,
                      std::span<const sluice_window> windows, const sdk::SampleSink& sink) const override {
        expect_there(index);
        with_failures([&] { set_->read_windows(index, windows, sink, static_cast<Context&>(context).scratch); });
    }

    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override {
        std::vector<std::string> names;
        std::ranges::transform(found_.files, std::back_inserter(names), shared_files::absolute_name);
        return shared_files::file_identity({}, names);
    }

    void classes(std::span<std::int64_t> classes) const override {
        const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(classes.size(), set_->size()));
        if (there == 0) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE,
                               found_.missing.front() + ", and the existing shards hold no sample with a class");
        }
        with_failures([&] { set_->classes(classes.first(there)); });
        std::ranges::fill(classes.subspan(there), classes.front());
    }

    void weights(std::span<double> weights) const override {
        if (!has_weights_) {
            throw sdk::Failure(SLUICE_INVALID,
                               "option 'weights' is not set; it names the field with the weights, which `sluice "
                               "prepare` writes if the training data has weights");
        }
        const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(weights.size(), set_->size()));
        with_failures([&] { set_->weights(weights.first(there)); });
        std::ranges::fill(weights.subspan(there), std::numeric_limits<double>::quiet_NaN());
        fill_unknown(weights);
    }

    [[nodiscard]] std::string_view class_name(std::uint32_t field, std::uint64_t number) const noexcept override {
        return set_->class_name(field, number);
    }

private:
    void expect_there(std::uint64_t index) const {
        if (index >= length_) {
            throw sdk::Failure(SLUICE_INVALID, "there is no sample " + std::to_string(index) + ", only " +
                                                   std::to_string(length_) + " of them");
        }
        if (index >= set_->size()) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE, found_.missing[index - set_->size()]);
        }
    }

    FileList found_;  // each missing file is one of the last samples
    std::unique_ptr<SampleSet> set_;
    std::uint64_t length_;
    bool has_weights_;
};

constexpr sluice_component kComponents[] = {sdk::component<Records>("sluice.source.records")};

}  // namespace
}  // namespace sluice::records

SLUICE_DEFINE_PLUGIN(sluice::records::kComponents)
