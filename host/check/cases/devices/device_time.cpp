// Cases for the clock of a device.
#include "registry/optional/device_time.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/error.hpp"
#include "check/cases/devices/device.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::check {
namespace {

using registry::Block;
using registry::DeviceStamps;

// A copy of this many bytes takes a while on each device.
constexpr std::size_t kMuch = std::size_t{32} << 20;

std::shared_ptr<const registry::Device> open_clock(Trial& trial) {
    need_interface(trial, SLUICE_DEVICE_TIME_V1);
    return open_device(trial);
}

double seconds_between(std::uint64_t from, std::uint64_t to) {
    return 1e-9 * (to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to));
}

// Compares the time between two stamps with that between events around them and between them.
void agrees_with_events(Trial& trial) {
    const auto device = open_clock(trial);
    const registry::Stream stream(device);
    const registry::Stream other(device);
    const Block from(device, kMuch, Block::Where::pinned_host);
    const Block to(device, kMuch);
    const DeviceStamps stamps(device, 4, 2);
    const registry::Event before(device);
    const registry::Event first(device);
    const registry::Event last(device);
    const registry::Event after(device);
    for (const std::size_t slot : {0, 1}) {  // the first time, the device may have to load code
        trial.doing("enqueuing two stamps around a copy");
        const auto begin = std::chrono::steady_clock::now();
        before.record(stream.handle());
        stamps.mark(stream.handle(), 1);
        first.record(stream.handle());
        device->copy(to.data(), from.data(), kMuch, stream.handle());
        last.record(stream.handle());
        stamps.mark(stream.handle(), 2);
        after.record(stream.handle());
        stamps.copy(stream.handle(), slot);
        device->wait(stream.handle());
        const double most = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const auto marked = stamps.read(slot);
        expect(marked[0] == 0 && marked[3] == 0, "stamp() writes to memory beside its number");
        expect(marked[1] != 0 && marked[2] != 0, "stamp() writes no time before the work that follows it has finished");
        const double seconds = seconds_between(marked[1], marked[2]);
        expect(seconds >= 0.0, fmt::format("the clock goes back by {} s during a copy", -seconds));
        // Clocks may count in steps of a microsecond and differ in rate.
        const double slack = 5e-5 + 0.05 * most;
        expect(seconds <= most + slack,
               fmt::format("{} s pass between two stamps, but the work took at most {} s", seconds, most));
        const double inner = first.seconds_to(last);  // 0 on a device without events
        const double outer = before.seconds_to(after);
        if (inner > 0.0) {  // another case checks that it is not negative
            expect(
                seconds >= inner - slack && seconds <= outer + slack,
                fmt::format("{} s pass between two stamps; by event_seconds() it is {} s between them and {} s around "
                            "them",
                            seconds, inner, outer));
        }
    }
    trial.doing("enqueuing a stamp on another stream");
    const std::uint64_t earlier = stamps.read(1)[2];
    stamps.mark(other.handle(), 3);
    stamps.copy(other.handle(), 0);
    device->wait(other.handle());
    expect(stamps.read(0)[3] >= earlier,
           fmt::format("the clock of another stream is {} s behind", seconds_between(stamps.read(0)[3], earlier)));
}

// Throws CaseSkipped if stamps cannot be captured.
registry::Graph capture_stamps(const std::shared_ptr<const registry::Device>& device, const DeviceStamps& stamps,
                               void* stream) {
    registry::GraphCapture capture(device, stream);
    for (std::size_t i = 0; i < stamps.size(); ++i) {
        stamps.mark(stream, i);
    }
    try {
        return capture.end();
    } catch (const Error& error) {
        throw CaseSkipped(error.what());
    }
}

void stamps_again_at_each_replay(Trial& trial) {
    const auto device = open_clock(trial);
    need_interface(trial, SLUICE_STREAMS_V1);
    const registry::Stream stream(device);
    const DeviceStamps stamps(device, 2, 1);
    stamps.mark(stream.handle(), 0);
    device->wait(stream.handle());
    trial.doing("capturing stamps");
    const registry::Graph graph = capture_stamps(device, stamps, stream.handle());
    stamps.copy(stream.handle(), 0);
    device->wait(stream.handle());
    expect(stamps.read(0)[1] == 0, "stamp() writes a time during the capture");
    std::uint64_t latest = stamps.read(0)[0];
    for (int replay = 1; replay <= 3; ++replay) {
        trial.doing(fmt::format("replaying captured stamps, number {}", replay));
        const auto begin = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(100)) {
        }  // longer than a step of any clock
        graph.launch(stream.handle());
        stamps.copy(stream.handle(), 0);
        device->wait(stream.handle());
        const auto marked = stamps.read(0);
        expect(marked[0] > latest && marked[1] >= marked[0],
               fmt::format("replay {} gives stamps {} and {} after a stamp {}; each replay must stamp again", replay,
                           marked[0], marked[1], latest));
        latest = marked[1];
    }
}

constexpr Case kDeviceTimeCases[] = {
    {"device.time", "Stamps rise, and the time between two agrees with that between events.", agrees_with_events},
    {"device.time_in_graphs", "Captured stamps are new at each replay.", stamps_again_at_each_replay},
};

}  // namespace

std::span<const Case> device_time_cases() { return kDeviceTimeCases; }

}  // namespace sluice::check
