// Work is recorded on its thread or its stream.
#include "run/network/stream_spans.hpp"

#include "unit/run/network/later_device.hpp"

namespace sluice::test {
namespace {

class StreamSpansTest : public LaterDevice {
protected:
    ~StreamSpansTest() override { static_cast<void>(profile::Recorder::close()); }

    const profile::Operations operations_ = std::make_shared<const std::vector<profile::Operation>>(
        1, profile::Operation{.path = "a", .kind = SLUICE_SPAN_BACKWARD});
};

TEST_F(StreamSpansTest, are_recorded_only_in_windows) {
    run::StreamSpans spans(device(), stream(), 0);
    EXPECT_FALSE(spans.begin(operations_));
    spans.start();
    EXPECT_FALSE(spans.begin(operations_));
    EXPECT_TRUE(spans.stop().spans.empty());
}

TEST_F(StreamSpansTest, belong_to_the_stream_if_its_device_times_them) {
    run::StreamSpans spans(device(), stream(), 3);
    spans.start();
    profile::Recorder::open();
    ASSERT_TRUE(spans.begin(operations_));
    spans.end(operations_->front());
    const profile::RecordedSpans recorded = profile::Recorder::close();
    ASSERT_EQ(recorded.threads.size(), 1U);  // this one, which enqueued it
    ASSERT_EQ(recorded.threads[0].spans.size(), 1U);
    EXPECT_EQ(recorded.threads[0].spans[0].kind, std::uint32_t{SLUICE_SPAN_CALL});
    EXPECT_EQ(recorded.operations, std::vector{operations_});
    const profile::RecordedThread stream = spans.stop();
    EXPECT_FALSE(spans.is_started());
    EXPECT_EQ(stream.name, "stream of replica 3");
    EXPECT_EQ(stream.kind, std::uint32_t{SLUICE_THREAD_STREAM});
    ASSERT_EQ(stream.spans.size(), 1U);
    EXPECT_EQ(stream.spans[0].operation, operations_->data());
    EXPECT_NE(stream.spans[0].correlation, 0U);
    EXPECT_EQ(stream.spans[0].correlation, recorded.threads[0].spans[0].correlation);
}

TEST_F(StreamSpansTest, are_only_noted_if_the_device_reports_its_kernels) {
    run::StreamSpans spans(device(), stream(), 0);
    spans.note_launches();
    profile::Recorder::open();
    ASSERT_TRUE(spans.begin(operations_));
    spans.end(operations_->front());
    spans.skip();
    spans.end(operations_->front());
    EXPECT_TRUE(profile::Recorder::close().threads.empty());
    const std::vector<run::StreamSpans::Launch> launches = spans.take_launches();
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].operation, operations_->data());
    EXPECT_LE(launches[0].begin, launches[0].end);
    EXPECT_GT(launches[1].begin, launches[0].end);  // what came between belongs to no launch
    EXPECT_TRUE(spans.take_launches().empty());
}

TEST_F(StreamSpansTest, belong_to_the_thread_if_work_is_done_when_it_returns) {
    run::StreamSpans spans(device(), stream(), 0);  // this device says that it is a CPU
    profile::Recorder::open();
    ASSERT_TRUE(spans.begin(operations_));
    spans.end(operations_->front());
    spans.end(operations_->front());
    const profile::RecordedSpans recorded = profile::Recorder::close();
    ASSERT_EQ(recorded.threads.size(), 1U);
    ASSERT_EQ(recorded.threads[0].spans.size(), 2U);
    EXPECT_EQ(recorded.threads[0].spans[1].kind, std::uint32_t{SLUICE_SPAN_BACKWARD});
    EXPECT_EQ(recorded.threads[0].spans[1].begin, recorded.threads[0].spans[0].end);
}

}  // namespace
}  // namespace sluice::test
