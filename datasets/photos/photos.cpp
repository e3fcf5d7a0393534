// Source `photos`: the picture files of a folder, still encoded for a following `decode`.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "shared_files/file_bytes.hpp"
#include "shared_files/file_identity.hpp"
#include "shared_files/name_split.hpp"
#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::photos {
namespace {

class Photos : public sdk::Source, public sdk::Identity {
public:
    Photos(const sdk::Host& host, const sdk::Options& options) : folder_(options.string("folder")) {
        shared_files::SkippedFiles skipped_files;
        std::vector<std::string> all = shared_files::list_pictures(folder_, "folder", skipped_files);
        shared_files::warn_of_forms(host, all);
        names_ = shared_files::split_by_name(std::move(all), shared_files::read_split(options));
        shared_files::log_skipped_files(host, skipped_files);
        if (const auto limit = options.maybe_integer("limit")) {
            names_.resize(std::min(names_.size(), static_cast<std::size_t>(*limit)));
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("sharp", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.length(names_.size());
    }

    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t, const sdk::SampleSink& sink) const override {
        const std::filesystem::path file = folder_ / names_.at(index);
        sink.name(file.string());
        shared_files::read_file(file, 0, sink);
    }

    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override {
        return shared_files::file_identity(folder_, names_);
    }

private:
    std::filesystem::path folder_;
    std::vector<std::string> names_;  // paths relative to folder_
};

constexpr sluice_component kComponents[] = {sdk::component<Photos>("sluice.source.photos")};

}  // namespace
}  // namespace sluice::photos

SLUICE_DEFINE_PLUGIN(sluice::photos::kComponents)
