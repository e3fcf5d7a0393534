// Optimizers, precision policies, strategies and observers.
#include <fmt/format.h>

#include <cmath>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/objects.hpp"
#include "registry/objects/sink.hpp"

namespace sluice::registry {
namespace {

// Collects the names of an optimizer's states.
class StateSink {
public:
    explicit StateSink(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_optimizer_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    std::vector<std::string> states;

private:
    static void on_state(const sluice_optimizer_sink* sink, sluice_text name) noexcept {
        auto& self = *static_cast<StateSink*>(sink->impl);
        self.fence.run([&] { self.states.push_back(copy_name(self.component_, name, "state", self.states)); });
    }

    const Component& component_;
    const sluice_optimizer_sink abi_{sizeof(sluice_optimizer_sink), this, on_state};
};

// What is wrong with the loss scale of the traits; empty if it is valid.
std::string loss_scale_problem(const sluice_precision_traits& traits) {
    if (traits.loss_scale == SLUICE_LOSS_SCALE_NONE) {
        return "";
    }
    if (traits.loss_scale != SLUICE_LOSS_SCALE_STATIC && traits.loss_scale != SLUICE_LOSS_SCALE_DYNAMIC) {
        return fmt::format("its kind is {}; 0 to 2 is right", traits.loss_scale);
    }
    if (!(traits.scale > 0.0 && std::isfinite(traits.scale)) || traits.most_skips < 1) {
        return fmt::format("it begins at {} and gives up after {} skipped steps; both must be above 0", traits.scale,
                           traits.most_skips);
    }
    if (traits.loss_scale == SLUICE_LOSS_SCALE_STATIC) {
        return "";
    }
    if (traits.growth_interval < 1 || !(traits.growth > 1.0) || !(traits.backoff > 0.0 && traits.backoff < 1.0)) {
        return fmt::format(
            "it is multiplied by {} after {} steps and by {} after an overflow; the first factor must be above 1, the "
            "steps at least 1 and the second factor between 0 and 1",
            traits.growth, traits.growth_interval, traits.backoff);
    }
    if (!(traits.floor > 0.0 && traits.floor <= traits.scale && traits.scale <= traits.ceiling &&
          std::isfinite(traits.ceiling))) {
        return fmt::format("it begins at {}, which must lie between {} and {}, both finite and above 0", traits.scale,
                           traits.floor, traits.ceiling);
    }
    return "";
}

}  // namespace

Optimizer::Optimizer(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_optimizer>(component, options, place_of(component, origin))) {
    StateSink sink(component);
    call_fenced(sink.fence, component, place_of(component, origin), object_.table()->describe, object_.self(),
                sink.abi());
    states_ = std::move(sink.states);
}

// Called every step, so it allocates only if it fails.
void Optimizer::update(const sluice_optimizer_launch& launch) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->update, object_.self(), &launch, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

Precision::Precision(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_precision>(component, options, place_of(component, origin))) {
    traits_.struct_size = sizeof(traits_);
    call(component, place_of(component, origin), object_.table()->traits, object_.self(), &traits_);
    check_reserved(component, traits_.reserved, "its traits");
    if (const std::string wrong = loss_scale_problem(traits_); !wrong.empty()) {
        misbehaves(component, "its loss scale is invalid: " + wrong);
    }
}

sluice_precision_choice Precision::choose(std::string_view type, std::string_view path, std::int32_t colour) const {
    const Component& component = object_.component();
    const sluice_precision_query query{
        sizeof(query), {type.data(), type.size()}, {path.data(), path.size()}, colour, 0};
    sluice_precision_choice choice{};
    choice.struct_size = sizeof(choice);
    call(component, fmt::format("{}: layer '{}'", short_name(component), path), object_.table()->choose, object_.self(),
         &query, &choice);
    if (choice.colour < SLUICE_COLOUR_INFER || choice.colour > SLUICE_COLOUR_CLEAR) {
        misbehaves(component,
                   fmt::format("its choice for layer '{}' has autocast category (colour) {}; 0 to 3 is right", path,
                               choice.colour));
    }
    for (const sluice_dtype dtype : {choice.storage, choice.compute, choice.accumulate}) {
        if (!is_known(dtype) || !is_float(dtype)) {
            misbehaves(
                component,
                fmt::format(
                    "its choice for layer '{}' has an element type that is not floating point (code {}, {} bits)", path,
                    dtype.code, dtype.bits));
        }
    }
    return choice;
}

Strategy::Strategy(const Component& component, const Table& options, const Origin& origin, std::uint32_t device_count)
    : object_(make_object<sluice_strategy>(component, options, place_of(component, origin), device_count)) {
    topology_.struct_size = sizeof(topology_);
    call(component, place_of(component, origin), object_.table()->topology, object_.self(), &topology_);
    check_reserved(component, topology_.reserved, "its topology");
    constexpr std::uint32_t kMostReplicas = 4096;  // per process, because each takes a thread and memory
    if (topology_.local_replicas > kMostReplicas) {
        misbehaves(component, fmt::format("it has {} replicas in this process; 1 to {} is right",
                                          topology_.local_replicas, kMostReplicas));
    }
    const std::uint64_t end = std::uint64_t{topology_.first_replica} + topology_.local_replicas;
    if (topology_.local_replicas == 0 || end > topology_.world_replicas) {
        misbehaves(component, fmt::format("its replicas from {} up to before {} do not fit in a world of {}",
                                          topology_.first_replica, end, topology_.world_replicas));
    }
}

void Strategy::start(const sluice_collective& collective) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->start, object_.self(), &collective, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

void Strategy::finish(std::uint32_t replica, double seconds) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->finish, object_.self(), replica, seconds, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

void Strategy::abort(std::string_view reason) const noexcept {
    enter(object_.component(), object_.table()->abort, object_.self(), sluice_text{reason.data(), reason.size()});
}

Observer::Observer(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_observer>(component, options, place_of(component, origin))),
      wants_(enter(component, object_.table()->wants, object_.self())) {}

void Observer::on_event(const sluice_event& event) const {
    call(object_.component(), short_name(object_.component()), object_.table()->on_event, object_.self(), &event);
}

}  // namespace sluice::registry
