// Source `segmentation_pairs`: pictures and their label maps (pictures with the class of each pixel), still encoded for
// a following `decode`.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared_files/file_bytes.hpp"
#include "shared_files/name_split.hpp"
#include "shared_files/pairs_by_name.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::segmentation_pairs {
namespace {

constexpr std::array<std::string_view, 1> kLabelSuffixes{".png"};

class SegmentationPairs : public sdk::Source, public sdk::Identity {
public:
    SegmentationPairs(const sdk::Host& host, const sdk::Options& options) {
        shared_files::SkippedFiles skipped_files;
        auto twins = shared_files::pair_by_name({options.string("images"), "images"},
                                                {options.string("labels"), "labels", kLabelSuffixes}, skipped_files);
        shared_files::log_skipped_files(host, skipped_files);
        shared_files::report_missing_twins(host, options, twins);
        std::vector<std::string> names;
        for (const auto& [name, files] : twins) {
            names.push_back(name);
        }
        names = shared_files::split_by_name(std::move(names), shared_files::read_split(options));
        if (const auto limit = options.maybe_integer("limit")) {
            names.resize(std::min(names.size(), static_cast<std::size_t>(*limit)));
        }
        for (const std::string& name : names) {
            pairs_.push_back(std::move(twins.at(name)));
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.field("label", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.length(pairs_.size());
    }

    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t, const sdk::SampleSink& sink) const override {
        shared_files::read_twins(pairs_.at(index), sink);
    }

    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override {
        return shared_files::identity_of_twins(pairs_);
    }

private:
    std::vector<shared_files::Twins> pairs_;  // image, label
};

constexpr sluice_component kComponents[] = {sdk::component<SegmentationPairs>("sluice.source.segmentation_pairs")};

}  // namespace
}  // namespace sluice::segmentation_pairs

SLUICE_DEFINE_PLUGIN(sluice::segmentation_pairs::kComponents)
