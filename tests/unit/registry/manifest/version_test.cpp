// Versions of plugins: their form and their order.
#include "registry/manifest/version.hpp"

#include <gtest/gtest.h>

namespace sluice::registry {
namespace {

TEST(ManifestVersion, is_numbers_and_words_after_them) {
    for (const char* const right : {"1", "1.0", "1.4.0", "0.0.1", "2024.05.1", "2.0-rc1", "2.0-alpha.1", "1.0-rc-2",
                                    "2.0+linux5", "1.4.0-beta.2+20240501", "1.0+a-b"}) {
        EXPECT_TRUE(is_version(right)) << right;
    }
    for (const char* const wrong : {"", "x", "v1.0", "1.", ".1", "1..0", "1.0 ", "1.0rc1", "1.0-", "1.0+", "1.0-a+",
                                    "1.0-.a", "1.0-a..b", "1.0+a+b", "1,0", "1.0~rc1", "1.0-\u00E4", "not a version"}) {
        EXPECT_FALSE(is_version(wrong)) << wrong;
    }
    EXPECT_TRUE(is_version(std::string(64, '1')));
    EXPECT_FALSE(is_version(std::string(65, '1')));
}

TEST(ManifestVersion, orders_as_people_count) {
    const std::vector<std::string> rising = {"0.9",
                                             "1",
                                             "1.0",
                                             "1.0.0",
                                             "1.2",
                                             "1.9.2",
                                             "1.10-alpha",
                                             "1.10-alpha.1",
                                             "1.10-beta",
                                             "1.10-rc2",
                                             "1.10-rc10",
                                             "1.10",
                                             "1.10+b1",
                                             "1.10+b12",
                                             "1.10.1-rc1",
                                             "1.10.1",
                                             "2.0-1",
                                             "2.0",
                                             "18446744073709551616",
                                             "18446744073709551617"};
    for (std::size_t i = 0; i < rising.size(); ++i) {
        for (std::size_t j = 0; j < rising.size(); ++j) {
            EXPECT_EQ(is_older(rising[i], rising[j]), i < j) << rising[i] << " and " << rising[j];
        }
    }
    EXPECT_FALSE(is_older("1.01", "1.1"));
    EXPECT_FALSE(is_older("1.1", "1.01"));
}

}  // namespace
}  // namespace sluice::registry
