// A full disk during a run, on a small file system in memory. The tests need the right to mount one.
#include <sys/mount.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class FullDisk : public PipelineTest {
protected:
    void SetUp() override {
        fs::create_directories(disk());
        if (::mount("none", disk().c_str(), "tmpfs", 0, "size=2m") != 0) {
            GTEST_SKIP() << "no file system can be mounted here: " << std::strerror(errno);
        }
        mounted_ = true;
        write_tiny({{"epochs = 2", "epochs = 1000000"},
                    {"every = \"1 epoch\"", "every = \"3 steps\""},
                    {"[checkpoint]", "[evaluate]\nevery = \"1000 epochs\"\n[checkpoint]"}});
    }
    void TearDown() override {
        if (mounted_) {
            ::umount2(disk().c_str(), MNT_DETACH);
        }
    }
    [[nodiscard]] fs::path disk() const { return folder() / "disk"; }
    void fill() const {
        std::ofstream file(disk() / "filler", std::ios::binary);
        const std::string block(4096, 'x');
        while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
        }
    }
    // Waits until the run has saved once, fills the disk, and waits for the error.
    void start_and_fill(HostProcess& process) const {
        ASSERT_TRUE(process.wait_for_file(disk() / "run/checkpoints/last.safetensors"));
        ASSERT_TRUE(process.wait_for_file(disk() / "run/batch_0.png"));  // the observers' thread writes it
        fill();
        ASSERT_TRUE(process.wait_for_error_text("could not be saved"));
    }
    const std::vector<std::string> train_{"train", "tiny.toml", "--run-folder", "disk/run"};

private:
    bool mounted_ = false;
};

TEST_F(FullDisk, training_goes_on_and_saves_when_there_is_space_again) {
    HostProcess process(train_, process_options());
    start_and_fill(process);
    fs::remove(disk() / "filler");
    ASSERT_TRUE(process.wait_for_error_text("saved again"));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // time for some epochs
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 130) << finished.err;
    EXPECT_LE(count_of(finished.err, "\nE "), 2U) << finished.err;  // one for the checkpoint, one for the table
    const std::string table = read_bytes(disk() / "run/metrics.csv");
    EXPECT_TRUE(table.starts_with("epoch,step,")) << table;
    for (std::size_t epoch = 1; epoch < count_of(table, "\n"); ++epoch) {
        EXPECT_EQ(count_of(table, "\n" + std::to_string(epoch) + ","), 1U) << table;
    }
    expect_success(host({"evaluate", "disk/run/checkpoints/last.safetensors"}));
}

TEST_F(FullDisk, at_the_end_is_exit_code_8_and_keeps_what_was_saved) {
    HostProcess process(train_, process_options());
    start_and_fill(process);
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 8) << finished.err;
    EXPECT_NE(finished.err.find("No space left on device"), std::string::npos) << finished.err;
    expect_success(host({"evaluate", "disk/run/checkpoints/last.safetensors"}));
    for (const auto& entry : fs::directory_iterator(disk() / "run/checkpoints")) {
        EXPECT_EQ(entry.path().extension(), ".safetensors") << entry.path();
    }
}

}  // namespace
}  // namespace sluice::test
