// Writing the shards of a preparation that are not complete yet.
#include "prepare/missing_shards.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::prepare {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstShard = "out/train-00000-of-00003.records";

class PrepareMissingShards : public FolderTest {
protected:
    // Writes shards of two samples. `source`: options of the test source.
    bool write_shards(
        const std::string& source, std::int64_t skip_bad, const std::function<bool()>& stop = [] { return false; }) {
        const data::Chain chain = data::make_chain(data::with_map("", source));
        const auto format = make_format("records", false, chain.fields(), {});
        const ShardLayout layout(chain.length(), 1.0, 2);
        nlohmann::ordered_json inputs;
        inputs["shards"] = layout.shards();
        Request request;
        request.purpose = "train";
        request.out = "out";
        request.skip_bad = skip_bad;
        request.progress = [](const std::string&) {};
        request.stop = stop;
        fs::create_directories(request.out);
        written_.emplace(request.out, inputs);
        return MissingShards(request, chain, *format, layout, inputs, *written_).write();
    }

    std::optional<WrittenFiles> written_;
};

TEST_F(PrepareMissingShards, are_written_after_a_stop_and_others_stay) {
    EXPECT_FALSE(write_shards("length = 6", 0, [] { return fs::exists(kFirstShard); }));
    EXPECT_EQ(written_->shards().size(), 1U);
    const auto long_ago = fs::last_write_time(kFirstShard) - std::chrono::hours(1);
    fs::last_write_time(kFirstShard, long_ago);
    EXPECT_TRUE(write_shards("length = 6", 0));
    EXPECT_EQ(written_->shards().size(), 3U);
    EXPECT_EQ(fs::last_write_time(kFirstShard), long_ago);
}

TEST_F(PrepareMissingShards, lack_bad_samples_up_to_the_limit) {
    EXPECT_TRUE(write_shards("length = 6, bad_at = [1, 4]", 2));
    EXPECT_EQ(written_->skipped(), 2U);
    EXPECT_EQ(written_->shards().at(0).samples, 1U);
    EXPECT_EQ(written_->shards().at(1).samples, 2U);
    EXPECT_EQ(written_->shards().at(2).skipped.at(0).index, 4U);
}

TEST_F(PrepareMissingShards, fail_after_more_bad_samples_than_the_limit) {
    data::expect_contains(data::error_of([&] { write_shards("length = 6, bad_at = [1, 4]", 1); }),
                          {"3 ", "that makes 2 bad samples, but data.skip_bad = 1",
                           "(2 of 3 files are complete; the same command continues from there)"});
}

}  // namespace
}  // namespace sluice::prepare
