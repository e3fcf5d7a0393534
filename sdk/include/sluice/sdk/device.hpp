// Base class of devices. A subclass has `static std::uint32_t count(Host)`, which throws Failure(SLUICE_UNSUPPORTED)
// with the reason if there is no device, and a constructor from (Host, Options, index). Further bases add abilities:
// Step (needed to train on it), Streams, Usage, DeviceTime, DeviceActivity.
#pragma once

#include <cstdint>

#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/step.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/usage.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

class Device {
public:
    virtual ~Device() = default;
    // The caller fills in struct_size.
    [[nodiscard]] virtual sluice_device_info info() const = 0;
    [[nodiscard]] virtual void* alloc(std::uint64_t bytes) = 0;
    virtual void free(void* block) noexcept = 0;
    [[nodiscard]] virtual void* host_alloc(std::uint64_t bytes) = 0;
    virtual void host_free(void* block) noexcept = 0;
    [[nodiscard]] virtual void* stream_create() = 0;
    virtual void stream_destroy(void* stream) noexcept = 0;
    virtual void stream_wait(void* stream) = 0;
    virtual void copy(void* to, const void* from, std::uint64_t bytes, void* stream) = 0;
    virtual void zero(void* block, std::uint64_t bytes, void* stream) = 0;
};

// See kind/streams.h.
class Streams {
public:
    virtual ~Streams() = default;
    [[nodiscard]] virtual void* event_create() = 0;
    virtual void event_destroy(void* event) noexcept = 0;
    virtual void event_record(void* event, void* stream) = 0;
    virtual void stream_wait_event(void* stream, void* event) = 0;
    virtual void event_wait(void* event) = 0;
    [[nodiscard]] virtual double event_seconds(void* from, void* to) = 0;
    virtual void capture_begin(void* stream) = 0;
    [[nodiscard]] virtual void* capture_end(void* stream) = 0;
    virtual void graph_launch(void* graph, void* stream) = 0;
    virtual void graph_destroy(void* graph) noexcept = 0;
};

// See kind/step.h.
class Step {
public:
    virtual ~Step() = default;
    virtual void begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
                       sluice_step_scalars* scalars, void* stream) = 0;
    virtual void add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report,
                          const sluice_threads* threads, void* stream) = 0;
    [[nodiscard]] virtual std::uint64_t workspace(std::uint64_t count) const noexcept = 0;
    virtual void sum_squares(const float* values, std::uint64_t count, sluice_step_report* report, void* workspace,
                             const sluice_threads* threads, void* stream) = 0;
    virtual void decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report,
                        void* stream) = 0;
    virtual void restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report,
                         const sluice_threads* threads, void* stream) = 0;
    virtual void move_average(float* average, const float* values, std::uint64_t count, double decay,
                              const sluice_step_scalars* scalars, const sluice_step_report* report,
                              const sluice_threads* threads, void* stream) = 0;
    virtual void round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype,
                       const sluice_threads* threads, void* stream) = 0;
};

// See kind/usage.h.
class Usage {
public:
    virtual ~Usage() = default;
    // The caller fills in struct_size.
    [[nodiscard]] virtual sluice_usage_figures read_usage() const = 0;
};

// See kind/device_time.h.
class DeviceTime {
public:
    virtual ~DeviceTime() = default;
    virtual void stamp(void* stream, std::uint64_t* nanoseconds) = 0;
};

// See kind/device_activity.h.
class DeviceActivity {
public:
    virtual ~DeviceActivity() = default;
    virtual void start_activity() = 0;
    virtual void stop_activity(const sluice_activity_sink& sink) = 0;
};

template <class T>
inline constexpr sluice_device device_table = {
    .count = [](const sluice_host* host, std::uint32_t* count, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *count = T::count(Host(host)); });
    },
    .create = [](const sluice_host* host, const sluice_value* options, std::uint32_t index, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Device*>(new T(Host(host), Options(options), index)); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Device*>(self); },
    .info = [](void* self, sluice_device_info* info, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(info, static_cast<Device*>(self)->info()); });
    },
    .alloc = [](void* self, std::uint64_t bytes, void** block, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *block = static_cast<Device*>(self)->alloc(bytes); });
    },
    .free = [](void* self, void* block) noexcept { static_cast<Device*>(self)->free(block); },
    .host_alloc = [](void* self, std::uint64_t bytes, void** block, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *block = static_cast<Device*>(self)->host_alloc(bytes); });
    },
    .host_free = [](void* self, void* block) noexcept { static_cast<Device*>(self)->host_free(block); },
    .stream_create = [](void* self, void** stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *stream = static_cast<Device*>(self)->stream_create(); });
    },
    .stream_destroy = [](void* self, void* stream) noexcept { static_cast<Device*>(self)->stream_destroy(stream); },
    .stream_wait = [](void* self, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Device*>(self)->stream_wait(stream); });
    },
    .copy = [](void* self, void* to, const void* from, std::uint64_t bytes, void* stream, sluice_error* error) noexcept
    -> sluice_status { return guard(error, [&] { static_cast<Device*>(self)->copy(to, from, bytes, stream); }); },
    .zero = [](void* self, void* block, std::uint64_t bytes, void* stream, sluice_error* error) noexcept
    -> sluice_status { return guard(error, [&] { static_cast<Device*>(self)->zero(block, bytes, stream); }); },
};

// Returns the object that `self` of every table of device T points to.
template <class T>
T& device_of(void* self) {
    return static_cast<T&>(*static_cast<Device*>(self));
}

template <class T>
inline constexpr sluice_streams streams_table = {
    .event_create = [](void* self, void** event, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *event = device_of<T>(self).event_create(); });
    },
    .event_destroy = [](void* self, void* event) noexcept { device_of<T>(self).event_destroy(event); },
    .event_record = [](void* self, void* event, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).event_record(event, stream); });
    },
    .stream_wait_event = [](void* self, void* stream, void* event, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).stream_wait_event(stream, event); });
    },
    .event_wait = [](void* self, void* event, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).event_wait(event); });
    },
    .event_seconds = [](void* self, void* from, void* to, double* seconds, sluice_error* error) noexcept
    -> sluice_status { return guard(error, [&] { *seconds = device_of<T>(self).event_seconds(from, to); }); },
    .capture_begin = [](void* self, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).capture_begin(stream); });
    },
    .capture_end = [](void* self, void* stream, void** graph, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *graph = device_of<T>(self).capture_end(stream); });
    },
    .graph_launch = [](void* self, void* graph, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).graph_launch(graph, stream); });
    },
    .graph_destroy = [](void* self, void* graph) noexcept { device_of<T>(self).graph_destroy(graph); },
};

template <class T>
inline constexpr sluice_step step_table = {
    .begin = [](void* self, const sluice_step_rule* rule, const sluice_step_start* start,
                const sluice_step_report* report, sluice_step_scalars* scalars, void* stream,
                sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).begin(*rule, start, report, scalars, stream); });
    },
    .add_loss = [](void* self, const float* pairs, std::uint64_t count, std::uint32_t is_first,
                   sluice_step_report* report, const sluice_threads* threads, void* stream,
                   sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).add_loss(pairs, count, is_first != 0, report, threads, stream); });
    },
    .workspace = [](void* self, std::uint64_t count) noexcept { return device_of<T>(self).workspace(count); },
    .sum_squares = [](void* self, const float* values, std::uint64_t count, sluice_step_report* report, void* workspace,
                      const sluice_threads* threads, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).sum_squares(values, count, report, workspace, threads, stream); });
    },
    .decide = [](void* self, const sluice_step_rule* rule, sluice_step_scalars* scalars, sluice_step_report* report,
                 void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).decide(*rule, scalars, report, stream); });
    },
    .restore = [](void* self, float* to, const float* from, std::uint64_t count, const sluice_step_report* report,
                  const sluice_threads* threads, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).restore(to, from, count, report, threads, stream); });
    },
    .move_average = [](void* self, float* average, const float* values, std::uint64_t count, double decay,
                       const sluice_step_scalars* scalars, const sluice_step_report* report,
                       const sluice_threads* threads, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            device_of<T>(self).move_average(average, values, count, decay, scalars, report, threads, stream);
        });
    },
    .round = [](void* self, void* to, const float* values, std::uint64_t count, sluice_dtype dtype,
                const sluice_threads* threads, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            if (!is_16_bit_float(dtype)) {
                throw Failure(SLUICE_UNSUPPORTED, "float16 and bfloat16 can be rounded to");
            }
            device_of<T>(self).round(to, values, count, dtype, threads, stream);
        });
    },
};

template <class T>
inline constexpr sluice_usage usage_table = {
    .read = [](void* self, sluice_usage_figures* figures, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(figures, device_of<T>(self).read_usage()); });
    },
};

template <class T>
inline constexpr sluice_device_time device_time_table = {
    .stamp = [](void* self, void* stream, std::uint64_t* nanoseconds, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).stamp(stream, nanoseconds); });
    },
};

template <class T>
inline constexpr sluice_device_activity device_activity_table = {
    .start = [](void* self, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).start_activity(); });
    },
    .stop = [](void* self, const sluice_activity_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { device_of<T>(self).stop_activity(*sink); });
    },
};

}  // namespace sluice::sdk
