// Memory that a plugin fills in a checked call: the breaches that are noticed, and what the host gets of it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "call_checks/lent_error.hpp"
#include "call_checks/output_memory.hpp"

namespace sluice::call_checks {
namespace {

Findings check(const OutputMemory& memory, bool is_ok = true) {
    Findings found;
    memory.check(is_ok, found);
    return found;
}

TEST(OutputMemory, gives_the_host_what_was_written) {
    std::array<std::uint32_t, 2> theirs{1, 2};
    OutputMemory memory;
    auto* const ours = static_cast<std::uint32_t*>(
        memory.lend(theirs.data(), sizeof(std::uint32_t), theirs.size(), OutputMemory::Filled::whole));
    ASSERT_NE(ours, theirs.data());
    ours[0] = 3;
    ASSERT_EQ(check(memory).size(), 1U);
    EXPECT_EQ(check(memory)[0].rule, Rule::unwritten);
    EXPECT_EQ(check(memory)[0].seen, "does not write element 1 of 2 of an output");
    EXPECT_TRUE(check(memory, false).empty());
    ours[1] = 4;
    EXPECT_TRUE(check(memory).empty());
    EXPECT_EQ(theirs, (std::array<std::uint32_t, 2>{1, 2}));
    memory.copy_back();
    EXPECT_EQ(theirs, (std::array<std::uint32_t, 2>{3, 4}));
    ours[2] = 5;
    ASSERT_EQ(check(memory, false).size(), 1U);
    EXPECT_EQ(check(memory, false)[0].rule, Rule::past_the_end);
}

TEST(OutputMemory, keeps_the_size_of_a_struct) {
    std::array<std::uint64_t, 2> theirs{sizeof(theirs), 7};
    OutputMemory memory;
    auto* const ours = static_cast<std::uint64_t*>(memory.lend_sized(theirs.data()));
    EXPECT_EQ(ours[1], 7U);
    EXPECT_TRUE(check(memory).empty());
    ours[0] = 8;
    ASSERT_EQ(check(memory).size(), 1U);
    EXPECT_EQ(check(memory)[0].rule, Rule::struct_size);
}

TEST(OutputMemory, gives_a_field_the_bytes_that_were_lent_last) {
    sluice_tensor_spec spec{};
    spec.rank = 1;
    spec.shape[0] = 2;
    spec.dtype.bits = 8;
    spec.dtype.lanes = 1;
    std::array<std::uint8_t, 2> first{1, 1};
    std::array<std::uint8_t, 2> second{2, 2};
    OutputMemory memory;
    std::memset(memory.lend_field(0, first.data(), spec), 8, 2);
    auto* const ours = static_cast<std::uint8_t*>(memory.lend_field(0, second.data(), spec));
    EXPECT_EQ(ours[1], 2);
    std::memset(ours, 9, 2);
    EXPECT_TRUE(check(memory).empty());
    memory.copy_back();
    EXPECT_EQ(first, (std::array<std::uint8_t, 2>{1, 1}));
    EXPECT_EQ(second, (std::array<std::uint8_t, 2>{9, 9}));
}

TEST(LentError, is_empty_after_a_success_and_has_a_reason_after_a_failure) {
    sluice_error theirs{};
    LentError lent;
    sluice_error* const ours = lent.lend(&theirs);
    const auto found = [&](sluice_status status) {
        Findings all;
        lent.check(status, all);
        return all.empty() ? std::string() : all.front().seen;
    };
    EXPECT_EQ(found(SLUICE_OK), "");
    EXPECT_EQ(found(SLUICE_FAILED), "returns status 1 without a message");
    EXPECT_EQ(found(99), "returns 99");
    std::strcpy(ours->message, "no file");
    EXPECT_EQ(found(SLUICE_OK), "returns SLUICE_OK and writes 'no file' to sluice_error");
    EXPECT_STREQ(theirs.message, "");
    EXPECT_EQ(found(SLUICE_FAILED), "");
    EXPECT_STREQ(theirs.message, "no file");
    lent.write(std::string(2 * sizeof(theirs.message), 'x'));
    EXPECT_EQ(std::strlen(theirs.message), sizeof(theirs.message) - 1);
    std::memset(ours->message, 'x', sizeof(ours->message));
    EXPECT_EQ(found(SLUICE_FAILED), "leaves a text of sluice_error without its terminating NUL");
}

}  // namespace
}  // namespace sluice::call_checks
