// Samples that are awaited in their order, while threads make them.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "data_test_chain.hpp"
#include "prepare/ordered_samples.hpp"

namespace sluice::prepare {
namespace {

std::unique_ptr<ShardFormat> format_of(const data::Chain& chain) {
    return make_format("records", false, chain.fields());
}

// As much more than it has by now.
class WithLittleMemory {
public:
    explicit WithLittleMemory(rlim_t more) {
        ::getrlimit(RLIMIT_AS, &before_);
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlimit few{.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more,
                         .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_AS, &few);
    }
    ~WithLittleMemory() { ::setrlimit(RLIMIT_AS, &before_); }
    WithLittleMemory(const WithLittleMemory&) = delete;
    WithLittleMemory& operator=(const WithLittleMemory&) = delete;

private:
    rlimit before_{};
};

TEST(PrepareSamples, say_where_threads_run_out) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address space cannot be bounded";
#endif
    const data::Chain chain = data::make_chain(data::with_map("", "length = 5000"));
    const auto format = format_of(chain);
    std::string found;
    {
        const WithLittleMemory memory(rlim_t{1} << 30);
        found = data::error_of([&] { const OrderedSamples samples(chain, *format, 0, 5000, {.threads = 1000}); });
    }
    data::expect_contains(found, {"2 only ", " of 1000 threads can be started: ", "give fewer --workers"});
}

TEST(PrepareSamples, that_stall_are_named) {
    const data::Chain chain = data::make_chain(data::with_map("", "length = 4, sleep_ms = 400"));
    const auto format = format_of(chain);
    OrderedSamples samples(chain, *format, 0, 1, {.threads = 1, .stall_seconds = 0.1});
    testing::internal::CaptureStderr();
    samples.take();
    data::expect_contains(testing::internal::GetCapturedStderr(),
                          {"data.train: waiting for sample 0 for ", "a thread is at 'test_numbers' of sample 0 for "});
}

TEST(PrepareSamples, that_stall_can_be_stopped) {
    const data::Chain chain = data::make_chain(data::with_map("", "length = 4, sleep_ms = 400"));
    const auto format = format_of(chain);
    OrderedSamples samples(chain, *format, 0, 4, {.threads = 1, .stop = [] { return true; }});
    EXPECT_THROW(samples.take(), data::Stopped);
}

}  // namespace
}  // namespace sluice::prepare
