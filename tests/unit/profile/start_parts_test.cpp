#include "profile/start_parts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <thread>

namespace sluice::test {
namespace {

TEST(StartParts, are_listed_by_length_and_begin_with_the_process) {
    profile::StartParts parts;
    parts.end("program");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    parts.end("network");
    parts.end("folder");
    const std::string text = parts.text();
    std::smatch seconds;
    ASSERT_TRUE(std::regex_search(text, seconds, std::regex("network ([0-9.]+) s"))) << text;
    EXPECT_GE(std::stod(seconds[1]), 0.3);
    EXPECT_TRUE(text.ends_with(", folder 0.00 s")) << text;
}

TEST(StartParts, without_any_have_no_text) { EXPECT_EQ(profile::StartParts().text(), ""); }

}  // namespace
}  // namespace sluice::test
