// How long the processes of a training wait for each other, and what ends a training that waits for nothing.
#include "pictures.hpp"
#include "processes_test.hpp"

namespace sluice::test {
namespace {

class PatientProcesses : public Processes {
protected:
    // The first `kind` ("SYNC", "OPEN") of a path with this part takes so many seconds, in one process.
    void make_slow(const std::string& kind, const std::string& part, int process, int seconds, int after = 0) {
        auto& environment = surroundings().environment;
        environment["LD_PRELOAD"] = SLUICE_TEST_SLOW_FILES;
        environment["SLUICE_TEST_SLOW_" + kind] = part;
        environment["SLUICE_TEST_SLOW_PROCESS"] = std::to_string(process);
        environment["SLUICE_TEST_SLOW_SECONDS"] = std::to_string(seconds);
        environment["SLUICE_TEST_SLOW_AFTER"] = std::to_string(after);
        if (const char* const options = std::getenv("ASAN_OPTIONS")) {
            environment["ASAN_OPTIONS"] = options + std::string(":verify_asan_link_order=0");
        }
    }
};

TEST_F(PatientProcesses, wait_for_a_checkpoint_longer_than_for_a_step) {
    write_tiny();
    train("whole", sets({"strategy.micro_shards=2"}));
    make_slow("SYNC", "/checkpoints", 0, 5);
    const Finished finished = host(trained(2, "run", sets({"strategy.micro_shards=2", "strategy.deadline=1"})));
    expect_success(finished);
    expect_same_bits("run", "whole");
}

}  // namespace
}  // namespace sluice::test
