// What replicas exchange, and what each of them keeps: gradients in 16 bits on the way, optimizer states in parts.
#include "replica_test.hpp"

namespace sluice::test {
namespace {

class Sharded : public ReplicaTest {
protected:
    // Trains tiny.toml in two processes of one replica each.
    void launch(const std::string& run, const std::vector<std::string>& values) {
        const std::vector<std::string> command{"launch", "-n", "2", "tiny.toml", "--run-folder", run};
        expect_success(host(joined(command, sets(joined({"strategy.use=multi_worker"}, values)))));
    }
};

// What is short travels as it is.
TEST_F(Sharded, gradients_travel_in_16_bits) {
    write_tiny(whole_batch({{"filters = 6", "filters = 384"}}));
    launch("float32", kClipped);
    launch("bfloat16", joined({"strategy.wire=bfloat16"}, kClipped));
    expect_near("bfloat16", "float32", 1e-2);
    EXPECT_FALSE(tensor_bytes_of(checkpoint("bfloat16")) == tensor_bytes_of(checkpoint("float32")));
}

TEST_F(Sharded, gradients_stay_as_they_are_where_nothing_travels) {
    write_tiny(whole_batch());
    train("float32", mirrored(2));
    train("bfloat16", mirrored(2, {"strategy.wire=bfloat16"}));
    expect_same_bits("bfloat16", "float32");
}

TEST_F(Sharded, the_type_on_the_way_is_one_of_two) {
    write_tiny();
    expect_refused(host({"train", "tiny.toml", "--set", "strategy.wire=float16"}), 2,
                   {"strategy.wire is \"float16\"", "bfloat16"});
    expect_told({"plan", "tiny.toml", "--explain", "--set", "strategy.wire=bfloat16"}, {"wire = \"bfloat16\""});
}

}  // namespace
}  // namespace sluice::test
