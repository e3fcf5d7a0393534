// device.pin: threads that compute keep to a core each; all others may go where the process may.
#include <thread>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Pin : public PipelineTest {
protected:
    // How many threads of a training may use one core only.
    std::size_t count_confined(const std::string& pin) {
        // Wide enough not to be run on one thread.
        write_tiny({{"filters = 6", "filters = 64"}, {"rate = 1e-3", "rate = 1e-3\n[observe]\nuse = [\"witness\"]"}});
        const Finished finished =
            train("run" + pin, {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "device.pin=" + pin});
        EXPECT_NE(finished.err.find("threads 2 compute"), std::string::npos) << finished.err;
        std::size_t count = 0;
        std::stringstream list(read_bytes(folder() / "threads.txt"));
        for (std::string cores; std::getline(list, cores);) {
            count += cores.find_first_of(",-") == std::string::npos ? 1 : 0;
        }
        return count;
    }
};

TEST_F(Pin, only_where_asked_and_only_what_computes) {
    if (std::thread::hardware_concurrency() != 2) {
        GTEST_SKIP() << "counts the threads of a machine with two cores";
    }
    EXPECT_EQ(count_confined("false"), 0U);
    EXPECT_EQ(count_confined("true"), 2U);
}

}  // namespace
}  // namespace sluice::test
