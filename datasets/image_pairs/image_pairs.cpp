// Source `image_pairs`: blurred and sharp pictures of the same scene, still encoded for a following `decode`.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "pairing.hpp"
#include "shared_files/file_bytes.hpp"
#include "shared_files/name_split.hpp"
#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/plugin.hpp"

namespace fs = std::filesystem;

namespace sluice::image_pairs {
namespace {

[[noreturn]] void invalid(const std::string& message) { throw sdk::Failure(SLUICE_INVALID, message); }

// The unit that a split never divides: a scene, because its frames are alike, or a single pair.
enum class Unit { scene, pair };

std::string unit_of(const std::string& name, Unit unit) {
    return unit == Unit::scene ? name.substr(0, name.find('/')) : name;
}

// The pairs of one split, chosen by names. Missing pictures are reported for all pairs.
Pairs share_of(const Pairs& pairs, Unit unit, const sdk::Host& host, const sdk::Options& options) {
    shared_files::report_missing_twins(host, options, pairs);
    const shared_files::Split split = shared_files::read_split(options);
    if (split.part == "test") {
        invalid(
            "option 'split' is 'test', but there is no 'test' folder: give 'root' of a data set with folders "
            "'train' and 'test', or use split = \"validation\"");
    }
    std::set<std::string> units;
    for (const auto& [name, files] : pairs) {
        units.insert(unit_of(name, unit));
    }
    Pairs kept;
    const std::vector<std::string> chosen = shared_files::split_by_name({units.begin(), units.end()}, split);
    const std::set<std::string> wanted(chosen.begin(), chosen.end());
    std::copy_if(pairs.begin(), pairs.end(), std::inserter(kept, kept.end()),
                 [&](const auto& entry) { return wanted.contains(unit_of(entry.first, unit)); });
    return kept;
}

Pairs pairs_of_root(const fs::path& root, const sdk::Host& host, const sdk::Options& options,
                    shared_files::SkippedFiles& skipped_files) {
    shared_files::require_folder(root, "root");
    if (!shared_files::is_folder(root / "train", "root") || !shared_files::is_folder(root / "test", "root")) {
        return share_of(pair_scenes(root, skipped_files), Unit::scene, host, options);
    }
    if (options.has("folds") || options.has("fold")) {
        invalid("options 'folds' and 'fold': '" + root.string() +
                "' is already split by its folders 'train' and 'test'; leave them out");
    }
    const std::string split = options.string("split");
    Pairs pairs;
    for (const std::string part : {"train", "test"}) {
        if (split == "all" || (split == "train") == (part == "train")) {
            for (const auto& [name, files] : pair_scenes(root / part, skipped_files)) {
                pairs[part + "/" + name] = files;
            }
        }
    }
    shared_files::report_missing_twins(host, options, pairs);
    return pairs;
}

Pairs find_pairs(const sdk::Host& host, const sdk::Options& options, shared_files::SkippedFiles& skipped_files) {
    const bool has_root = options.has("root");
    if (has_root == options.has("blurred") || has_root == options.has("sharp")) {
        invalid("give either 'root', or both 'blurred' and 'sharp'");
    }
    if (has_root) {
        return pairs_of_root(options.string("root"), host, options, skipped_files);
    }
    const std::string blurred = options.string("blurred");
    const std::string sharp = options.string("sharp");
    std::error_code unused;
    if (fs::equivalent(blurred, sharp, unused)) {
        invalid("options 'blurred' and 'sharp' are one folder, '" + blurred + "'" +
                (sharp == blurred ? "" : " and '" + sharp + "'") +
                ": each picture would be its own pair, and there is nothing to learn");
    }
    return share_of(pair_folders(blurred, sharp, skipped_files), Unit::pair, host, options);
}

class ImagePairs : public sdk::Source, public sdk::Identity {
public:
    ImagePairs(const sdk::Host& host, const sdk::Options& options) {
        shared_files::SkippedFiles skipped_files;
        for (auto& [name, files] : find_pairs(host, options, skipped_files)) {
            pairs_.push_back(std::move(files));
        }
        shared_files::log_skipped_files(host, skipped_files);
    }

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("blurred", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.field("sharp", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.length(pairs_.size());
    }

    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t, const sdk::SampleSink& sink) const override {
        shared_files::read_twins(pairs_.at(index), sink);
    }

    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override {
        return shared_files::identity_of_twins(pairs_);
    }

private:
    std::vector<shared_files::Twins> pairs_;  // blurred, sharp
};

constexpr sluice_component kComponents[] = {sdk::component<ImagePairs>("sluice.source.image_pairs")};

}  // namespace
}  // namespace sluice::image_pairs

SLUICE_DEFINE_PLUGIN(sluice::image_pairs::kComponents)
