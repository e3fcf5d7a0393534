#include "run/setup/loader_setup.hpp"

#include <gtest/gtest.h>

namespace sluice::run {
namespace {

TEST(LoaderOptions, share_the_memory) {
    config::PipelineSpec spec;
    spec.data.train.batch_bytes = 512;
    spec.data.validation.emplace().batch_bytes = 256;
    EXPECT_EQ(loader_options(spec, true, 2).prefetch_bytes, 256U);
    EXPECT_EQ(loader_options(spec, false, 2).prefetch_bytes, 128U);
    EXPECT_GT(loader_options(spec, true, 2).most_prefetch, 100);
    EXPECT_EQ(loader_options(spec, false, 2).most_prefetch, loader_options(spec, false, 2).prefetch);
    spec.data.prefetch = 9;
    EXPECT_EQ(loader_options(spec, true, 2).prefetch_bytes, 256U);
    EXPECT_EQ(loader_options(spec, false, 2).prefetch_bytes, 128U);
    EXPECT_EQ(loader_options(spec, true, 2).most_prefetch, 0);
    spec.data.train.batch_bytes = {};
    EXPECT_GT(loader_options(spec, true, 2).prefetch_bytes, 0U) << "it is a share of the free memory";
}

}  // namespace
}  // namespace sluice::run
