#include "registry/optional/device_activity.hpp"

#include <algorithm>
#include <utility>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/device_call.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {
namespace {

constexpr std::size_t kMostActivities = std::size_t{1} << 22;  // further ones are dropped

// Collects what stop() reports.
class ActivityCollector {
public:
    explicit ActivityCollector(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_activity_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    Activities found;

private:
    static void on_activity(const sluice_activity_sink* sink, const sluice_activity* activity) noexcept {
        auto& self = *static_cast<ActivityCollector*>(sink->impl);
        self.fence.run([&] { self.add(*activity); });
    }
    static void on_dropped(const sluice_activity_sink* sink, std::uint64_t count) noexcept {
        static_cast<ActivityCollector*>(sink->impl)->found.dropped += count;
    }
    void add(const sluice_activity& reported) {
        if (reported.struct_size < sizeof(reported)) {
            misbehaves(component_, fmt::format("struct_size of an activity is {}; at least {} is needed",
                                               reported.struct_size, sizeof(reported)));
        }
        std::string name = copy_text(component_, reported.name, "name of an activity");
        if (reported.end_ns < reported.begin_ns) {
            misbehaves(component_, fmt::format("its activity '{}' ends at {} ns, before it begins at {} ns", name,
                                               reported.end_ns, reported.begin_ns));
        }
        if (found.records.size() == kMostActivities) {
            ++found.dropped;
            return;
        }
        const bool is_known_kind = reported.kind <= SLUICE_ACTIVITY_FILL;
        found.records.push_back(
            {reported.begin_ns, reported.end_ns, reported.launch_ns, reported.bytes, reported.correlation,
             is_known_kind ? reported.kind : std::uint32_t{SLUICE_ACTIVITY_OTHER}, reported.stream, std::move(name)});
    }

    const Component& component_;
    const sluice_activity_sink abi_{sizeof(sluice_activity_sink), this, on_activity, on_dropped};
};

}  // namespace

DeviceActivity::DeviceActivity(std::shared_ptr<const Device> device) : device_(std::move(device)) {
    const Component& component = device_->object().component();
    if (device_->activity() == nullptr) {
        throw Error(Exit::device, fmt::format("{} does not report its activity", name_of_device(component)));
    }
    call_device(component, "cannot record its activity", device_->activity()->start, device_->object().self());
}

DeviceActivity::~DeviceActivity() {
    if (records_) {
        const Object<sluice_device>& object = device_->object();
        ActivityCollector unused(object.component());
        sluice_error error{};
        enter(object.component(), device_->activity()->stop, object.self(), unused.abi(), &error);
    }
}

Activities DeviceActivity::stop() {
    records_ = false;
    const Object<sluice_device>& object = device_->object();
    ActivityCollector collector(object.component());
    try {
        call_device(object.component(), "cannot report its activity", device_->activity()->stop, object.self(),
                    collector.abi());
    } catch (...) {
        collector.fence.rethrow();  // is more exact
        throw;
    }
    collector.fence.rethrow();
    std::ranges::sort(collector.found.records, [](const Activity& a, const Activity& b) {
        return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    return std::move(collector.found);
}

}  // namespace sluice::registry
