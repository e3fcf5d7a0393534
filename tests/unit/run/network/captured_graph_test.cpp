// Work that is captured and replayed, and that runs launch by launch in some windows.
#include "run/network/captured_graph.hpp"

#include "unit/run/network/later_device.hpp"

namespace sluice::test {
namespace {

class CapturedWork : public LaterDevice {
protected:
    ~CapturedWork() override { profile::Recorder::set_runs_eagerly(false); }

    // Runs the work once. Returns true if the device did it.
    bool run() {
        device()->copy(target_.data(), ones_.data(), ones_.size(), stream());
        graph_.run(
            [&] {
                ++enqueued_;
                device()->zero(target_.data(), target_.size(), stream());
            },
            [](bool is_captured) { return is_captured; });
        wait();
        return target_.data()[0] == std::byte{0};
    }
    // How often the work was enqueued; a replay enqueues nothing.
    [[nodiscard]] int enqueued() const { return enqueued_; }

private:
    static registry::Block filled(const std::shared_ptr<const registry::Device>& device) {
        registry::Block block(device, 64);  // host memory
        std::fill_n(block.data(), block.size(), std::byte{1});
        return block;
    }

    registry::Block ones_ = filled(device());
    registry::Block target_ = filled(device());
    run::CapturedGraph graph_{device(), stream()};
    int enqueued_ = 0;
};

TEST_F(CapturedWork, is_replayed_after_its_capture) {
    for (const int expected : {1, 2, 2, 2}) {
        EXPECT_TRUE(run());
        EXPECT_EQ(enqueued(), expected);
    }
}

TEST_F(CapturedWork, runs_launch_by_launch_meanwhile_and_keeps_its_graph) {
    EXPECT_TRUE(run());
    EXPECT_TRUE(run());
    profile::Recorder::set_runs_eagerly(true);
    for (const int expected : {3, 4}) {
        EXPECT_TRUE(run());
        EXPECT_EQ(enqueued(), expected);
    }
    profile::Recorder::set_runs_eagerly(false);
    EXPECT_TRUE(run());
    EXPECT_EQ(enqueued(), 4);
}

TEST_F(CapturedWork, is_not_captured_meanwhile) {
    profile::Recorder::set_runs_eagerly(true);
    for (const int expected : {1, 2, 3}) {
        EXPECT_TRUE(run());
        EXPECT_EQ(enqueued(), expected);
    }
    profile::Recorder::set_runs_eagerly(false);
    for (const int expected : {4, 4}) {  // the first run was made already, so this one is captured
        EXPECT_TRUE(run());
        EXPECT_EQ(enqueued(), expected);
    }
}

}  // namespace
}  // namespace sluice::test
