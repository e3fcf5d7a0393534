// The live views of runs.
#include "pipeline_test.hpp"

#include <csignal>

namespace sluice::test {
namespace {

class Watch : public PipelineTest {};

TEST_F(Watch, prints_the_screen_into_a_pipe) {
    write_tiny({kEveryStep});
    train();
    expect_output({"watch", "run"}, {"run  finished", "step 8/8", "last steps", "forward", "memory", "q quits"});
    expect_refused(host({"watch", "tiny.toml"}), 2, {"tiny.toml: this is not a run's folder"});
}

class Serve : public PipelineTest {};

TEST_F(Serve, prints_its_address_and_stops_at_a_signal) {
    std::filesystem::create_directory(folder() / "runs");
    HostProcess server({"serve", "--port", "0"}, process_options());
    ASSERT_TRUE(server.wait_for_handler(SIGTERM));
    server.send(SIGTERM);
    const Finished finished = server.finish();
    EXPECT_EQ(finished.exit, 0);
    expect_contains(finished.out, {"http://127.0.0.1:"});
    EXPECT_EQ(finished.out.find("token"), std::string::npos);
}

TEST_F(Serve, needs_a_token_for_other_machines) {
    std::filesystem::create_directory(folder() / "runs");
    HostProcess server({"serve", "--port", "0", "--address", "0.0.0.0"}, process_options());
    ASSERT_TRUE(server.wait_for_handler(SIGTERM));
    server.send(SIGTERM);
    const Finished finished = server.finish();
    expect_contains(finished.out, {"/?token="});
    expect_contains(finished.err, {"not encrypted"});
}

TEST_F(Serve, refuses_what_it_cannot_serve) {
    expect_refused(host({"serve", "missing"}), 2, {"missing: there is no such folder of runs"});
    std::filesystem::create_directory(folder() / "runs");
    expect_refused(host({"serve", "--address", "somewhere"}), 2, {"--address somewhere: this is no IP address"});
    write("token", "short\n");
    expect_refused(host({"serve", "--token-file", "token"}), 2, {"token: a token has 16 or more letters"});
}

}  // namespace
}  // namespace sluice::test
