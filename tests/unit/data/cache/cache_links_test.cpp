// A measured training reads the samples that earlier runs kept on disk, and leaves their files alone.
#include "data/cache/cache_links.hpp"

#include <fstream>

#include "base/files.hpp"
#include "config/load.hpp"
#include "unit/data/cache/disk_cache_test.hpp"

namespace sluice::data {
namespace {

using CacheLinks = DiskCacheTest;

std::string in_folder(const std::string& folder, int length) {
    return "source = { use = \"test_numbers\", length = " + std::to_string(length) +
           R"( }
map = [{ use = "test_noise" }, { use = "cache", in = "disk", folder = ")" +
           folder + R"(" }, { use = "test_sum" }])";
}

config::PipelineSpec with_stream(const std::string& stream) {
    return config::load_pipeline_text(
        "version = 1\n[data.train]\n" + stream +
            "\n[model]\ninput = \"image\"\ntarget = \"label\"\nlayers = [{ type = \"relu\" }]\n"
            "[loss]\nuse = \"mean_squared_error\"\n[optimizer]\nuse = \"sgd\"\n",
        "a.toml", {});
}

TEST_F(CacheLinks, give_a_training_the_samples_and_leave_the_files_alone) {
    epoch(in_folder("kept", 10));
    link_caches(with_stream(in_folder("kept", 10)), "linked");
    EXPECT_EQ(epoch(in_folder("linked", 10)).first, 0U);
    flip_byte(file(), 0);                                                            // a damaged record
    std::ofstream(file(), std::ios::app | std::ios::binary) << std::string(9, 'x');  // and one that is being written
    const std::string bytes = read_file(file());
    EXPECT_GT(epoch(in_folder("linked", 10)).first, 0U);  // is made again, into a file of the linked folder
    EXPECT_EQ(read_file(file()), bytes);
    fs::remove_all("linked");
    EXPECT_TRUE(fs::exists(file()));
}

TEST_F(CacheLinks, are_none_if_there_is_no_cache_yet) {
    link_caches(with_stream(in_folder("kept", 10)), "linked");
    EXPECT_FALSE(fs::exists("linked"));
    link_caches(with_stream("source = { use = \"test_numbers\", length = 10 }\n"), "linked");
    EXPECT_FALSE(fs::exists("linked"));
}

}  // namespace
}  // namespace sluice::data
