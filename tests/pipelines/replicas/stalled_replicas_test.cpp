// Replicas on threads of one process, one of which hangs in a layer's forward or backward, or in an update.
#include <chrono>
#include <filesystem>
#include <random>

#include "replicas/replica_test.hpp"

namespace sluice::test {
namespace {

class StalledReplicas : public ReplicaTest {
protected:
    void stall_and_go_on(const std::string& where, int call) {
        SCOPED_TRACE(where + " " + std::to_string(call));
        std::filesystem::remove_all(folder() / "run");
        const bool is_update = where == "UPDATE";
        process_options().environment = {{"SLUICE_TEST_STALL_" + where, std::to_string(call)}};
        const Finished finished =
            host(joined(joined({"train", "tiny.toml", "--run-folder", "run"}, kPlugin),
                        mirrored(2, {"strategy.deadline=1", "strategy.micro_shards=2",
                                     "optimizer.last=" + std::to_string(is_update ? call : 1000)})));
        const auto stalled = std::filesystem::last_write_time(folder() / "stalled.txt");
        EXPECT_LT(std::filesystem::file_time_type::clock::now() - stalled, std::chrono::seconds(10));
        const std::string name = read_bytes(folder() / "stalled.txt");
        expect_refused(finished, 7,
                       {name + (is_update ? " is stuck" : " did not join 'gradients 1 of 1'"),
                        "the last checkpoint is run/checkpoints/last.safetensors"});
        process_options().environment.clear();
        expect_success(
            host(joined(joined({"resume", "run"}, kPlugin), sets({"strategy.use=single", "optimizer.last=1000"}))));
        expect_same_bits("run", "whole");
    }

    // One of two replicas hangs in a step after the first of 8, `times` times at each place.
    void stall_anywhere(int times) {
        write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 1000\nrate"},
                    {"{ type = \"relu\" }", "{ type = \"test_stall\" }"},
                    kWithoutValidation});
        train("whole", joined(kPlugin, sets({"strategy.micro_shards=2"})));
        std::mt19937 random(std::random_device{}());
        for (int i = 0; i < times; ++i) {
            const int call = 3 + static_cast<int>(random() % 13);
            stall_and_go_on("UPDATE", call);
            stall_and_go_on("FORWARD", kMeasured + call);
            stall_and_go_on("BACKWARD", kMeasured + call);
        }
    }

    // A layer's forward hangs at call number `call`, counted over both replicas.
    void expect_stuck_between_steps(int call, const std::vector<std::string>& more) {
        std::filesystem::remove_all(folder() / "run");
        process_options().environment = {{"SLUICE_TEST_STALL_FORWARD", std::to_string(call)}};
        const Finished finished = host(joined(joined({"train", "tiny.toml", "--run-folder", "run"}, kPlugin),
                                              mirrored(2, {"strategy.deadline=1", "strategy.micro_shards=2"})));
        const auto stalled = std::filesystem::last_write_time(folder() / "stalled.txt");
        EXPECT_LT(std::filesystem::file_time_type::clock::now() - stalled, std::chrono::seconds(10));
        expect_refused(finished, 7,
                       joined<std::string>({read_bytes(folder() / "stalled.txt") +
                                            " is stuck: it does not return from its part of the work between steps"},
                                           more));
        process_options().environment.clear();
    }

    const std::vector<std::pair<std::string, std::string>> kStalls{
        {"{ type = \"relu\" }", "{ type = \"test_stall\" }"}};
    // The measurement of one replica against two takes this many calls.
    static constexpr int kMeasured = 2 + 3 * (1 + 2);
    const std::vector<std::string> kPlugin{"--plugin", SLUICE_TEST_STALLING_DIR};
};

TEST_F(StalledReplicas, are_named_and_given_up) { stall_anywhere(1); }

// Each replica has made its first call before one of them hangs.
TEST_F(StalledReplicas, are_named_and_given_up_while_they_are_measured) {
    write_tiny(kStalls);
    expect_stuck_between_steps(4, {});
    expect_stuck_between_steps(kMeasured, {});
}

// The first evaluation shows how long one takes.
TEST_F(StalledReplicas, are_named_and_given_up_in_a_later_evaluation) {
    write_tiny(kStalls);
    train("whole", joined(kPlugin, sets({"strategy.micro_shards=2"})));
    const int of_two_epochs = kMeasured + 2 * 8 + 2;  // calls of both replicas, with those of the first evaluation
    expect_stuck_between_steps(of_two_epochs + 1, {"the last checkpoint is run/checkpoints/last.safetensors"});
    expect_success(host(joined(joined({"resume", "run"}, kPlugin), sets({"strategy.use=single"}))));
    expect_same_bits("run", "whole");
}

using SlowStalledReplicas = StalledReplicas;

TEST_F(SlowStalledReplicas, are_named_and_given_up) { stall_anywhere(7); }

}  // namespace
}  // namespace sluice::test
