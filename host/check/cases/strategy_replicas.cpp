#include "check/cases/strategy_replicas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "check/contract/thread_group.hpp"

namespace sluice::check {
namespace {

const sluice_threads kAlone{
    sizeof(sluice_threads), nullptr, 1, 0,
    [](const sluice_threads*, std::int64_t n, std::int64_t,
       void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept, void* context) noexcept {
        if (n > 0) {
            body(context, 0, n, 0);
        }
    }};

bool takes(Trial& trial, const char* option) {
    return std::ranges::count(trial.manifest().options, option, &registry::OptionSchema::name) > 0;
}

// Opens up to `most` devices of the kind that the strategy needs; none if that is the CPU.
std::vector<std::shared_ptr<const registry::Device>> open_devices(Trial& trial, std::int64_t most) {
    std::vector<std::shared_ptr<const registry::Device>> devices;
    const std::string& kind = trial.manifest().device;
    if (kind.empty() || kind == "cpu") {
        return devices;
    }
    try {
        const registry::Component component = trial.registry().find(registry::Kind::device, kind, {});
        const Table options = trial.registry().options(component, {.use = kind, .origin = {}, .options = {}});
        const std::uint32_t count = registry::Device::count(component);
        for (std::uint32_t i = 0; i < count && i < most; ++i) {
            devices.push_back(std::make_shared<registry::Device>(component, options, i));
        }
    } catch (const Error& error) {
        throw CaseSkipped(fmt::format("the strategy needs devices of kind '{}': {}", kind, error.what()));
    }
    if (devices.empty()) {
        throw CaseSkipped(fmt::format("the strategy needs devices of kind '{}', but there are none", kind));
    }
    return devices;
}

}  // namespace

std::uint32_t count_local_replicas(Trial& trial, std::uint32_t most) {
    const auto devices = open_devices(trial, most);
    return devices.empty() ? most : static_cast<std::uint32_t>(devices.size());
}

StrategyReplicas::StrategyReplicas(Trial& trial, std::int64_t replicas) {
    for (auto& device : open_devices(trial, replicas)) {
        replica_devices_.push_back({device, std::make_unique<registry::Stream>(device)});
    }
    const auto count = replica_devices_.empty() ? replicas : static_cast<std::int64_t>(replica_devices_.size());
    Table options = trial.options();
    if (takes(trial, "replicas")) {
        options.set("replicas", {count, {}});
    }
    if (takes(trial, "wire")) {
        options.set("wire", {std::string("bfloat16"), {}});  // the narrowest wire type of these cases
    }
    strategy_.emplace(trial.component(), options, Origin{}, static_cast<std::uint32_t>(count));
    const sluice_topology& topology = strategy_->topology();
    if (topology.local_replicas != topology.world_replicas) {
        throw CaseSkipped(fmt::format("{} of the strategy's {} replicas are in other processes",
                                      topology.world_replicas - topology.local_replicas, topology.world_replicas));
    }
}

Answer StrategyReplicas::finish(std::uint32_t replica, double seconds) const {
    return ask(strategy_->object().table()->finish, strategy_->object().self(), replica, seconds);
}

Answer StrategyReplicas::start(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                               const Collective& collective) const {
    const sluice_dtype dtype = element == sizeof(double) ? kFloat64 : kFloat32;
    SizedStruct<sluice_collective> own(collective.is_larger);
    own.value.kind = collective.kind;
    own.value.replica = replica;
    own.value.data = data;
    own.value.count = count;
    own.value.dtype = dtype;
    own.value.wire = collective.is_narrow ? kBfloat16 : dtype;
    own.value.name = {collective.name.data(), collective.name.size()};
    own.value.threads = is_on_cpu() ? &kAlone : nullptr;
    own.value.stream = is_on_cpu() ? nullptr : replica_devices_[replica].stream->handle();
    return ask(strategy_->object().table()->start, strategy_->object().self(), &own.value);
}

Answer StrategyReplicas::run_collective(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                                        const Collective& collective) const {
    if (is_on_cpu()) {
        const Answer started = start(replica, data, element, count, collective);
        return started.status == SLUICE_OK ? finish(replica) : started;
    }
    const auto& [device, stream] = replica_devices_[replica];
    const registry::Block block(device, element * count);
    device->copy(block.data(), data, block.size(), stream->handle());
    device->wait(stream->handle());
    const Answer before = finish(replica);
    const Answer started =
        before.status == SLUICE_OK ? start(replica, block.data(), element, count, collective) : before;
    Answer ended = started.status == SLUICE_OK ? finish(replica) : started;
    device->copy(data, block.data(), block.size(), stream->handle());
    device->wait(stream->handle());
    return ended;
}

std::vector<Answer> StrategyReplicas::on_threads(std::uint32_t count,
                                                 const std::function<Answer(std::uint32_t)>& body) {
    std::vector<Answer> answers(count);
    run_on_threads(count, [&](std::size_t i) {
        try {
            answers[i] = body(static_cast<std::uint32_t>(i));
        } catch (const std::exception& error) {
            answers[i] = {SLUICE_FAILED, error.what()};
        }
    });
    return answers;
}

}  // namespace sluice::check
