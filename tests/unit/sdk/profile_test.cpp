// The walk through a recorded window: elements of other sizes than those of this build, and events without a window.
#include "sluice/sdk/profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace sluice::sdk {
namespace {

constexpr std::byte kLaterByte{0xE7};

sluice_span span_of(std::int64_t begin, std::uint32_t name) {
    sluice_span span{};
    span.begin_ns = begin;
    span.name = name;
    span.correlation = 7;
    return span;
}

class SdkProfile : public testing::Test {
protected:
    SdkProfile() {
        profile_.struct_size = sizeof(profile_);
        profile_.first_step = 20;
        profile_.names = names_.data();
        profile_.name_count = names_.size();
    }
    // Lends spans of `size` bytes each.
    void lend(const std::vector<sluice_span>& spans, std::size_t size) {
        bytes_.assign(spans.size() * size, kLaterByte);
        for (std::size_t i = 0; i < spans.size(); ++i) {
            std::memcpy(bytes_.data() + i * size, &spans[i], std::min(size, sizeof(sluice_span)));
        }
        profile_.spans = reinterpret_cast<const sluice_span*>(bytes_.data());
        profile_.span_count = spans.size();
        profile_.span_size = size;
    }
    [[nodiscard]] std::string begins_and_names() const {
        const Profile window(profile_);
        std::string text;
        for (const sluice_span& span : window.spans()) {
            text += std::to_string(span.begin_ns) + std::string(window.name(span.name)) + " ";
        }
        return text;
    }

    std::array<sluice_text, 2> names_{{SLUICE_TEXT("a"), SLUICE_TEXT("b")}};
    std::vector<std::byte> bytes_;
    sluice_profile profile_{};
};

TEST_F(SdkProfile, WalksElementsOfTheSizeThatTheHostStates) {
    for (const std::size_t more : {0, 8, 24}) {
        lend({span_of(1, 0), span_of(2, 1), span_of(3, SLUICE_NONE)}, sizeof(sluice_span) + more);
        EXPECT_EQ(begins_and_names(), "1a 2b 3 ") << more;
        EXPECT_EQ(Profile(profile_).spans()[2].correlation, 7U) << more;
    }
}

TEST_F(SdkProfile, FieldsThatTheHostDoesNotKnowAreZero) {
    lend({span_of(1, 0), span_of(2, 1)}, offsetof(sluice_span, correlation));
    EXPECT_EQ(begins_and_names(), "1a 2b ");
    EXPECT_EQ(Profile(profile_).spans()[1].correlation, 0U);
}

TEST_F(SdkProfile, AnIndexMayNameNothing) {
    lend({span_of(1, 0)}, sizeof(sluice_span));
    const Profile window(profile_);
    EXPECT_EQ(window.spans().find(0)->begin_ns, 1);
    EXPECT_FALSE(window.spans().find(1));
    EXPECT_FALSE(window.operations().find(SLUICE_NONE));
    EXPECT_EQ(window.operations().begin(), window.operations().end());
    EXPECT_EQ(window.name(2), "");
}

TEST_F(SdkProfile, IsThereIfTheEventHasAWindow) {
    sluice_event event{};
    event.struct_size = sizeof(event);
    EXPECT_FALSE(profile(event));
    event.profile = &profile_;
    ASSERT_TRUE(profile(event));
    EXPECT_EQ(profile(event)->head().first_step, 20);
    event.struct_size = offsetof(sluice_event, profile);  // as from a host of 1.0
    EXPECT_FALSE(profile(event));
}

}  // namespace
}  // namespace sluice::sdk
