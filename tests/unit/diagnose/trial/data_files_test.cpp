// Finds the files that options of sources name.
#include "diagnose/trial/data_files.hpp"

#include <fmt/format.h>

#include "config/load.hpp"
#include "unit/folder_test.hpp"

namespace sluice::diagnose {
namespace {

using DiagnoseDataFiles = FolderTest;

TEST_F(DiagnoseDataFiles, are_those_that_options_name_and_those_in_folders) {
    std::filesystem::create_directories("pictures/inner");
    write("pictures/a.jpg", "a");
    write("pictures/inner/b.jpg", "b");
    write("list.csv", "c");
    const config::PipelineSpec spec = config::load_pipeline_text(
        "version = 1\n[data.train]\nsource = { use = \"csv_images\", file = \"list.csv\", folder = \"pictures\", "
        "name = \"nothing\" }\n[model]\ninput = \"image\"\ntarget = \"class\"\nlayers = [{ type = \"relu\" }]\n"
        "[loss]\nuse = \"mean_squared_error\"\n[optimizer]\nuse = \"sgd\"\n",
        "a.toml", {});
    EXPECT_EQ(data_files(spec, 10).size(), 3U);
    EXPECT_EQ(data_files(spec, 1).size(), 1U);
    drop_from_page_cache(data_files(spec, 10));
    drop_from_page_cache({"missing.jpg"});
    EXPECT_TRUE(std::filesystem::exists("pictures/inner/b.jpg"));
}

}  // namespace
}  // namespace sluice::diagnose
