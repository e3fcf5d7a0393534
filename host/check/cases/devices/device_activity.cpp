// A case for what a device reports of its activity.
#include "registry/optional/device_activity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/error.hpp"
#include "check/cases/devices/device.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::check {
namespace {

using registry::Activity;
using registry::Block;

constexpr std::size_t kCopied = std::size_t{4} << 20;
constexpr std::size_t kCopiedBefore = 12288;  // the bytes tell this copy from the others
constexpr std::int64_t kSlack = 1'000'000;    // nanoseconds by which a converted clock may be wrong

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Throws CaseSkipped with the reason if this machine cannot record.
void expect_recordable(Trial& trial, const registry::Device& device) {
    const Answer answer = ask(device.activity()->start, device.object().self());
    trial.expect_reason(answer, "start() of the activity");
    if (answer.status == SLUICE_UNSUPPORTED) {
        throw CaseSkipped("this machine cannot record activity: " + answer.message);
    }
    expect(answer.status == SLUICE_OK, "start() of the activity fails: " + answer.message);
    sluice_activity_sink sink{};
    sink.struct_size = sizeof(sink);
    sink.add = [](const sluice_activity_sink*, const sluice_activity*) noexcept {};
    sink.add_dropped = [](const sluice_activity_sink*, std::uint64_t) noexcept {};
    const sluice_activity_sink* const unused = &sink;
    const Answer stopped = ask(device.activity()->stop, device.object().self(), unused);
    expect(stopped.status == SLUICE_OK, "stop() of the activity fails: " + stopped.message);
}

// Returns a graph that zeroes the block; empty: the device captures none.
std::optional<registry::Graph> capture_zeroing(const std::shared_ptr<const registry::Device>& device,
                                               const Block& block, void* stream) {
    if (device->streams() == nullptr) {
        return std::nullopt;
    }
    registry::GraphCapture capture(device, stream);
    device->zero(block.data(), block.size(), stream);
    try {
        return capture.end();
    } catch (const Error&) {
        return std::nullopt;
    }
}

void expect_in_window(const Activity& activity, std::int64_t begin, std::int64_t end) {
    expect(activity.bytes != kCopiedBefore, "stop() reports a copy that ran before start()");
    expect(activity.begin_ns >= begin - kSlack && activity.end_ns <= end + kSlack,
           fmt::format("'{}' runs from {} to {} ns, but by CLOCK_MONOTONIC the recording lasts from {} to {} ns",
                       activity.name, activity.begin_ns, activity.end_ns, begin, end));
    expect(activity.launch_ns == -1 || activity.launch_ns <= activity.begin_ns + kSlack,
           fmt::format("'{}' begins at {} ns, before the host launched it at {} ns", activity.name, activity.begin_ns,
                       activity.launch_ns));
    expect(!activity.name.empty(), "an activity has no name");
    const bool is_copy = activity.kind == SLUICE_ACTIVITY_UPLOAD || activity.kind == SLUICE_ACTIVITY_DOWNLOAD;
    expect(!is_copy || activity.bytes == kCopied || activity.bytes == 0,
           fmt::format("a copy of {} bytes has {} bytes in the report", kCopied, activity.bytes));
}

void reports_what_runs(Trial& trial) {
    need_interface(trial, SLUICE_DEVICE_ACTIVITY_V1);
    const auto device = open_device(trial);
    trial.doing("recording nothing");
    expect_recordable(trial, *device);
    const registry::Stream stream(device);
    const Block host(device, kCopied, Block::Where::pinned_host);
    const Block block(device, kCopied);
    const auto graph = capture_zeroing(device, block, stream.handle());
    device->copy(block.data(), host.data(), kCopiedBefore, stream.handle());
    device->wait(stream.handle());
    trial.doing("recording copies");
    const std::int64_t begin = now();
    registry::DeviceActivity recording(device);
    device->copy(block.data(), host.data(), kCopied, stream.handle());
    device->copy(host.data(), block.data(), kCopied, stream.handle());
    std::size_t least = 2;
    for (int replay = 0; replay < 2 && graph; ++replay, ++least) {
        graph->launch(stream.handle());
    }
    const registry::Activities found = recording.stop();
    const std::int64_t end = now();
    std::ranges::for_each(found.records, [&](const Activity& one) { expect_in_window(one, begin, end); });
    expect(found.records.size() + found.dropped >= least,
           fmt::format("stop() reports {} activities, {} dropped; at least {} ran", found.records.size(), found.dropped,
                       least));
}

constexpr Case kDeviceActivityCases[] = {
    {"device.activity", "Copies and replayed work are reported by the host's clock, and nothing from before start().",
     reports_what_runs},
};

}  // namespace

std::span<const Case> device_activity_cases() { return kDeviceActivityCases; }

}  // namespace sluice::check
