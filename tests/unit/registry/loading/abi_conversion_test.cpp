// Conversion of values to the ABI's trees, and of statuses to errors.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/allocation_failure.hpp"
#include "base/peer_exit.hpp"
#include "base/toml/toml.hpp"
#include "registry/loading/abi_conversion.hpp"
#include "sluice/sdk/guard.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

std::string text(const char* ptr, std::uint64_t length) { return {ptr, length}; }

TEST(OptionTree, sorts_keys_and_keeps_lines) {
    Table table = parse_toml("zeta = [1, 2.5, 'x']\nalpha = true\nbeta = { inner = -7 }", "a.toml");
    table.set("late", {std::int64_t{3}, {}});
    const OptionTree tree(table);
    const sluice_value& root = *tree.root();
    ASSERT_EQ(root.kind, std::uint32_t{SLUICE_TABLE});
    ASSERT_EQ(root.count, 4U);
    const sluice_pair* pairs = root.as.pairs;
    EXPECT_EQ(text(pairs[0].key.ptr, pairs[0].key.len), "alpha");
    EXPECT_EQ(text(pairs[3].key.ptr, pairs[3].key.len), "zeta");
    EXPECT_EQ(pairs[0].value.kind, std::uint32_t{SLUICE_BOOL});
    EXPECT_EQ(pairs[0].value.as.i, 1);
    EXPECT_EQ(pairs[0].value.line, 2U);
    EXPECT_EQ(pairs[1].value.as.pairs[0].value.as.i, -7);
    EXPECT_EQ(pairs[2].value.line, 0U);
    const sluice_value& list = pairs[3].value;
    ASSERT_EQ(list.count, 3U);
    EXPECT_EQ(list.as.items[0].kind, std::uint32_t{SLUICE_INT});
    EXPECT_EQ(list.as.items[1].as.f, 2.5);
    EXPECT_EQ(text(list.as.items[2].as.text, list.as.items[2].count), "x");
}

sluice_status answer(sluice_status status, const char* message, sluice_error* error) noexcept {
    std::strcpy(error->message, message);
    return status;
}

class Call : public testing::Test {
protected:
    Call() { plugin_.version = "1.4.0"; }
    void call_it(sluice_status status, const char* message) const {
        call(component_, "a.toml:3:1: layer 'conv'", answer, status, message);
    }

private:
    const ComponentManifest manifest_{Kind::layer, "com.acme.conv", "conv", {}, {}, {}, {}};
    PluginManifest plugin_;
    const Component component_{&manifest_, &plugin_, nullptr, nullptr, nullptr, {}};
};

TEST_F(Call, turns_a_status_into_an_error) {
    const auto thrown = [&](sluice_status status, const char* message, Exit exit) {
        return test::error_of([&] { call_it(status, message); }, exit);
    };
    EXPECT_EQ(thrown(SLUICE_INVALID, "too wide", Exit::config),
              "a.toml:3:1: layer 'conv': too wide (com.acme.conv 1.4.0)");
    EXPECT_EQ(thrown(SLUICE_FAILED, "", Exit::plugin),
              "a.toml:3:1: layer 'conv': it failed and gave no reason (com.acme.conv 1.4.0)");
    (void)thrown(SLUICE_BAD_SAMPLE, "x", Exit::data);
    (void)thrown(SLUICE_NO_MEMORY, "x", Exit::device);
    (void)thrown(SLUICE_DEVICE_LOST, "x", Exit::device);
    (void)thrown(SLUICE_REPLICA_LOST, "x", Exit::replica_lost);
    (void)thrown(4711, "x", Exit::plugin);
    call_it(SLUICE_OK, "");
}

TEST_F(Call, keeps_whether_the_plugin_gave_a_reason) {
    for (const char* const message : {"", "too wide"}) {
        try {
            call_it(SLUICE_INVALID, message);
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.has_reason(), *message != '\0') << error.what();
        }
    }
}

TEST_F(Call, reads_the_exit_code_of_another_process) {
    const std::string reason = "process 1 on a has aborted: " + peer_exit_text(Exit::data);
    try {
        call_it(SLUICE_REPLICA_LOST, reason.c_str());
        FAIL() << "no error";
    } catch (const PeerFailed& error) {
        EXPECT_EQ(error.exit(), Exit::replica_lost);
        EXPECT_EQ(error.peer(), Exit::data);
    }
    (void)test::error_of([&] { call_it(SLUICE_FAILED, reason.c_str()); }, Exit::plugin);
}

// The SDK guards plugins. What operator new of the host throws names the size of the block.
TEST(Guard, passes_on_the_size_of_a_block_that_was_not_allocated) {
    const auto message_of = [](const auto& body) {
        sluice_error error{};
        EXPECT_EQ(sdk::guard(&error, body), sluice_status{SLUICE_NO_MEMORY});
        return std::string(error.message);
    };
    EXPECT_EQ(message_of([] { throw AllocationFailure(std::size_t{3} << 29); }),
              "out of memory: cannot allocate a block of 1.5 GiB");
    EXPECT_EQ(message_of([] { throw std::bad_alloc(); }), "out of memory");
}

}  // namespace
}  // namespace sluice::registry
