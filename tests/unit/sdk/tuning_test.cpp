// The choice among candidates: from the tuning cache, measured, or the first.
#include "sluice/sdk/tuning.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>

namespace sluice::test {
namespace {

struct Way {
    std::string_view name;
};

class Tuning : public testing::Test {
protected:
    // Chooses by measurements in which `fastest` is the fastest.
    std::string choose(bool may_measure, std::size_t fastest) {
        sluice_kernel_sink sink{};
        sink.struct_size = sizeof(sink);
        sink.impl = this;
        sink.may_measure = may_measure ? 1 : 0;
        sink.recall = [](const sluice_kernel_sink* from, sluice_text key) noexcept {
            const auto found = self(from).choices_.find(std::string(sdk::view(key)));
            return found == self(from).choices_.end() ? sluice_text{} : sdk::text_of(found->second);
        };
        sink.remember = [](const sluice_kernel_sink* to, sluice_text key, sluice_text choice) noexcept {
            self(to).choices_[std::string(sdk::view(key))] = sdk::view(choice);
        };
        const std::vector<Way> ways = {{"direct"}, {"winograd"}, {"gemm"}};
        const auto measure = [&]() -> const Way& {
            ++measured_;
            return ways.at(fastest);
        };
        return std::string(sdk::choose_candidate(sdk::KernelSink(&sink), "conv 3x3", ways, &Way::name, measure).name);
    }

    std::map<std::string, std::string> choices_;
    int measured_ = 0;

private:
    static Tuning& self(const sluice_kernel_sink* sink) { return *static_cast<Tuning*>(sink->impl); }
};

TEST_F(Tuning, uses_what_is_remembered_without_measuring) {
    choices_["conv 3x3"] = "winograd";
    EXPECT_EQ(choose(true, 2), "winograd");
    EXPECT_EQ(choose(false, 2), "winograd");
    EXPECT_EQ(measured_, 0);
}

TEST_F(Tuning, measures_once_and_remembers) {
    choices_["conv 1x1"] = "winograd";
    EXPECT_EQ(choose(true, 2), "gemm");
    EXPECT_EQ(choices_["conv 3x3"], "gemm");
    EXPECT_EQ(choose(true, 1), "gemm");
    EXPECT_EQ(measured_, 1);
}

TEST_F(Tuning, measures_again_if_the_remembered_candidate_is_gone) {
    choices_["conv 3x3"] = "fft";
    EXPECT_EQ(choose(true, 1), "winograd");
    EXPECT_EQ(choices_["conv 3x3"], "winograd");
}

TEST_F(Tuning, takes_the_first_if_nothing_may_be_measured) {
    choices_["conv 3x3"] = "fft";
    EXPECT_EQ(choose(false, 1), "direct");
    EXPECT_EQ(choices_["conv 3x3"], "fft");
    EXPECT_EQ(measured_, 0);
}

TEST_F(Tuning, remembers_nothing_if_measuring_fails) {
    EXPECT_THROW((void)choose(true, 3), std::out_of_range);
    EXPECT_TRUE(choices_.empty());
}

}  // namespace
}  // namespace sluice::test
