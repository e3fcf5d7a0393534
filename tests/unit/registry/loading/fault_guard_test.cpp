// Code that touches mapped memory after the end of a file, inside and outside of the host's guard.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

#include "registry/loading/fault_guard.hpp"
#include "registry/loading/services.hpp"
#include "sluice/sdk/fault_guard.hpp"

namespace sluice::registry {
namespace {

constexpr std::size_t kBytes = 1 << 16;

// A mapped file that was cut off. Only its first page can be read.
class CutOffFile {
public:
    CutOffFile() {
        std::string name = testing::TempDir() + "sluice_guard_XXXXXX";
        file_ = ::mkstemp(name.data());
        ::unlink(name.c_str());
        EXPECT_EQ(::ftruncate(file_, kBytes), 0);
        bytes_ = static_cast<volatile unsigned char*>(::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file_, 0));
        EXPECT_EQ(::ftruncate(file_, 1), 0);
    }
    ~CutOffFile() {
        ::munmap(const_cast<unsigned char*>(bytes_), kBytes);
        ::close(file_);
    }
    CutOffFile(const CutOffFile&) = delete;
    CutOffFile& operator=(const CutOffFile&) = delete;

    [[nodiscard]] int first() const noexcept { return bytes_[0]; }
    [[nodiscard]] int last() const noexcept { return bytes_[kBytes - 1]; }

private:
    int file_ = -1;
    volatile unsigned char* bytes_ = nullptr;
};

// A death test starts the program anew, so only the test's own signal handlers are installed.
class FaultGuard : public testing::Test {
protected:
    void SetUp() override { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }

    CutOffFile file_;
    PluginHost host_{"com.acme.reader"};
    sdk::FaultGuard guard_{host_.abi()};
};
using FaultGuardDeathTest = FaultGuard;

TEST_F(FaultGuard, tells_of_pages_that_cannot_be_read) {
    ASSERT_TRUE(guard_.is_there());
    int read = -1;
    EXPECT_TRUE(guard_.run([&]() noexcept { read = file_.first(); }));
    EXPECT_EQ(read, 0);
    for (int i = 0; i < 3; ++i) {
        read = -1;
        EXPECT_FALSE(guard_.run([&]() noexcept { read = file_.last(); }));
        EXPECT_EQ(read, -1);
    }
}

TEST_F(FaultGuard, leaves_the_innermost_body) {
    volatile bool inner = true;
    volatile bool went_on = false;
    EXPECT_TRUE(guard_.run([&]() noexcept {
        inner = guard_.run([&]() noexcept { (void)file_.last(); });
        went_on = true;
    }));
    EXPECT_FALSE(inner);
    EXPECT_TRUE(went_on);
    went_on = false;
    EXPECT_FALSE(guard_.run([&]() noexcept {
        inner = guard_.run([&]() noexcept { (void)file_.first(); });
        (void)file_.last();
        went_on = true;
    }));
    EXPECT_TRUE(inner);
    EXPECT_FALSE(went_on);
}

TEST_F(FaultGuard, is_each_threads_own) {
    std::array<int, 2> correct{};
    std::array<std::thread, 2> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread([&, i] {
            for (int k = 0; k < 1000; ++k) {
                correct[i] += guard_.run([&]() noexcept { (void)file_.last(); }) ? 0 : 1;
                correct[i] += guard_.run([&]() noexcept { (void)file_.first(); }) ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(correct, (std::array{2000, 2000}));
}

TEST_F(FaultGuardDeathTest, lets_the_process_end_outside_of_a_body) {
    EXPECT_EXIT((void)file_.last(), testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT(
        {
            EXPECT_FALSE(guard_.run([&]() noexcept { (void)file_.last(); }));
            (void)file_.last();
        },
        testing::KilledBySignal(SIGBUS), "");
}

TEST_F(FaultGuardDeathTest, lets_the_process_exit_if_the_signal_was_sent) {
    EXPECT_EXIT((void)guard_.run([]() noexcept { ::raise(SIGBUS); }), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(FaultGuardDeathTest, hands_on_what_is_not_its_own) {
    EXPECT_EXIT(
        {
            std::signal(SIGBUS, [](int) { ::_exit(7); });
            EXPECT_FALSE(guard_.run([&]() noexcept { (void)file_.last(); }));
            (void)file_.last();
        },
        testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace sluice::registry
