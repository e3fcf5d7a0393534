// Base classes of optimizers, precision policies, strategies and observers.
#pragma once

#include <string>
#include <string_view>

#include "sluice/kind/observer.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/precision.h"
#include "sluice/kind/strategy.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

class OptimizerSink {
public:
    explicit OptimizerSink(const sluice_optimizer_sink* sink) : sink_(sink) {}
    void state(std::string_view name) const { sink_->add_state(sink_, text_of(name)); }

private:
    const sluice_optimizer_sink* sink_;
};

class Optimizer {
public:
    virtual ~Optimizer() = default;
    virtual void describe(const OptimizerSink& sink) const = 0;
    virtual void update(const sluice_optimizer_launch& launch) const = 0;
};

class Precision {
public:
    virtual ~Precision() = default;
    // The caller fills in struct_size. The default is a policy that does not scale the loss.
    [[nodiscard]] virtual sluice_precision_traits traits() const { return {}; }
    // The caller fills in struct_size.
    [[nodiscard]] virtual sluice_precision_choice choose(const sluice_precision_query& query) const = 0;
};

class Strategy {
public:
    virtual ~Strategy() = default;
    // The caller fills in struct_size.
    [[nodiscard]] virtual sluice_topology topology() const = 0;
    virtual void start(const sluice_collective& collective) = 0;  // `collective` may be copied
    virtual void finish(std::uint32_t replica, double seconds) = 0;
    virtual void abort(std::string_view reason) noexcept = 0;
};

class Observer {
public:
    virtual ~Observer() = default;
    [[nodiscard]] virtual std::uint64_t wants() const noexcept = 0;
    virtual void on_event(const sluice_event& event) = 0;
};

// Returns the value of scalar `name`, or `otherwise` if the event does not have it.
inline double scalar(const sluice_event& event, std::string_view name, double otherwise = 0.0) {
    for (std::uint64_t i = 0; i < event.scalar_count; ++i) {
        if (view(event.scalars[i].name) == name) {
            return event.scalars[i].value;
        }
    }
    return otherwise;
}

namespace detail {

// Refuses kinds and types that this SDK does not know, for all strategies.
inline void expect_known(const sluice_collective& collective) {
    const auto refuse = [&](const std::string& why) {
        throw Failure(SLUICE_UNSUPPORTED, "'" + std::string(view(collective.name)) + "' " + why);
    };
    const sluice_dtype dtype = collective.dtype;
    if (collective.kind > SLUICE_COLLECTIVE_ALL_GATHER) {
        refuse("is a collective of kind " + std::to_string(collective.kind) +
               "; those from 0 (sum) to 4 (all_gather) are known");
    }
    if (!same(dtype, kFloat32) && !same(dtype, kFloat64)) {
        refuse("has elements of type " + name_of(dtype) + "; float32 and float64 can be exchanged");
    }
    if (!same(collective.wire, dtype) && !(same(dtype, kFloat32) && same(collective.wire, kBfloat16))) {
        refuse("is of " + name_of(dtype) + " and cannot be sent as " + name_of(collective.wire) +
               "; it can be sent unchanged, and float32 can also be sent as bfloat16");
    }
}

}  // namespace detail

template <class T>
inline constexpr sluice_optimizer optimizer_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Optimizer*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Optimizer*>(self); },
    .describe = [](void* self, const sluice_optimizer_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Optimizer*>(self)->describe(OptimizerSink(sink)); });
    },
    .update = [](void* self, const sluice_optimizer_launch* launch, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Optimizer*>(self)->update(*launch); });
    },
};

template <class T>
inline constexpr sluice_precision precision_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Precision*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Precision*>(self); },
    .traits = [](void* self, sluice_precision_traits* traits, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(traits, static_cast<Precision*>(self)->traits()); });
    },
    .choose = [](void* self, const sluice_precision_query* query, sluice_precision_choice* choice,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(choice, static_cast<Precision*>(self)->choose(*query)); });
    },
};

template <class T>
inline constexpr sluice_strategy strategy_table = {
    .create = [](const sluice_host* host, const sluice_value* options, std::uint32_t device_count, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Strategy*>(new T(Host(host), Options(options), device_count)); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Strategy*>(self); },
    .topology = [](void* self, sluice_topology* topology, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(topology, static_cast<Strategy*>(self)->topology()); });
    },
    .start = [](void* self, const sluice_collective* collective, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            const sluice_collective known = known_part(*collective);
            detail::expect_known(known);
            static_cast<Strategy*>(self)->start(known);
        });
    },
    .finish = [](void* self, std::uint32_t replica, double seconds, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Strategy*>(self)->finish(replica, seconds); });
    },
    .abort = [](void* self, sluice_text reason) noexcept { static_cast<Strategy*>(self)->abort(view(reason)); },
};

template <class T>
inline constexpr sluice_observer observer_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Observer*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Observer*>(self); },
    .wants = [](void* self) noexcept -> std::uint64_t { return static_cast<Observer*>(self)->wants(); },
    .on_event = [](void* self, const sluice_event* event, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Observer*>(self)->on_event(*event); });
    },
};

}  // namespace sluice::sdk
