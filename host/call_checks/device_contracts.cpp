// Contracts of devices and their optional interfaces.
#include "call_checks/table_contract.hpp"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/streams.h"

namespace sluice::call_checks {

template <>
struct TableContract<sluice_device> {
    using T = sluice_device;
    static constexpr const char* kId = SLUICE_DEVICE_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::count, "count", Tag::any),
        Function(&T::create, "create", Tag::any).makes(Handle::object),
        Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
        Function(&T::info, "info", Tag::any),
        Function(&T::alloc, "alloc", Tag::serial).makes(Handle::block),
        Function(&T::free, "free", Tag::serial).takes(Handle::block).ends(Handle::block),
        Function(&T::host_alloc, "host_alloc", Tag::serial).makes(Handle::host_block),
        Function(&T::host_free, "host_free", Tag::serial).takes(Handle::host_block).ends(Handle::host_block),
        Function(&T::stream_create, "stream_create", Tag::serial).makes(Handle::stream),
        Function(&T::stream_destroy, "stream_destroy", Tag::serial).takes(Handle::stream).ends(Handle::stream),
        Function(&T::stream_wait, "stream_wait", Tag::serial).takes(Handle::stream),
        Function(&T::copy, "copy", Tag::enqueue).takes(Handle::none, Handle::stream),
        Function(&T::zero, "zero", Tag::enqueue).takes(Handle::none, Handle::stream)};
};

template <>
struct TableContract<sluice_step> {
    using T = sluice_step;
    static constexpr const char* kId = SLUICE_STEP_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::begin, "begin", Tag::enqueue).takes(Handle::stream),
        Function(&T::add_loss, "add_loss", Tag::enqueue).takes(Handle::stream),
        Function(&T::workspace, "workspace", Tag::any),
        Function(&T::sum_squares, "sum_squares", Tag::enqueue).takes(Handle::none, Handle::stream),
        Function(&T::decide, "decide", Tag::enqueue).takes(Handle::stream),
        Function(&T::restore, "restore", Tag::enqueue).takes(Handle::stream),
        Function(&T::move_average, "move_average", Tag::enqueue).takes(Handle::stream),
        Function(&T::round, "round", Tag::enqueue).takes(Handle::none, Handle::stream)};
};

template <>
struct TableContract<sluice_streams> {
    using T = sluice_streams;
    static constexpr const char* kId = SLUICE_STREAMS_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::event_create, "event_create", Tag::serial).makes(Handle::event),
        Function(&T::event_destroy, "event_destroy", Tag::serial).takes(Handle::event).ends(Handle::event),
        Function(&T::event_record, "event_record", Tag::enqueue).takes(Handle::event, Handle::stream),
        Function(&T::stream_wait_event, "stream_wait_event", Tag::enqueue).takes(Handle::stream, Handle::event),
        Function(&T::event_wait, "event_wait", Tag::any).takes(Handle::event),
        Function(&T::event_seconds, "event_seconds", Tag::any).takes(Handle::event, Handle::event),
        Function(&T::capture_begin, "capture_begin", Tag::serial).takes(Handle::stream),
        Function(&T::capture_end, "capture_end", Tag::serial).takes(Handle::stream).makes(Handle::graph),
        Function(&T::graph_launch, "graph_launch", Tag::enqueue).takes(Handle::graph, Handle::stream),
        Function(&T::graph_destroy, "graph_destroy", Tag::serial).takes(Handle::graph).ends(Handle::graph)};
};

template <>
struct TableContract<sluice_usage> {
    static constexpr const char* kId = SLUICE_USAGE_V1;
    static constexpr std::tuple kFunctions{Function(&sluice_usage::read, "read", Tag::any)};
};

template <>
struct TableContract<sluice_device_time> {
    static constexpr const char* kId = SLUICE_DEVICE_TIME_V1;
    static constexpr std::tuple kFunctions{
        Function(&sluice_device_time::stamp, "stamp", Tag::enqueue).takes(Handle::stream).fills(0)};  // device memory
};

template <>
struct TableContract<sluice_device_activity> {
    using T = sluice_device_activity;
    static constexpr const char* kId = SLUICE_DEVICE_ACTIVITY_V1;
    static constexpr std::tuple kFunctions{Function(&T::start, "start", Tag::serial),
                                           Function(&T::stop, "stop", Tag::serial)};
};

std::vector<Wrapper> device_wrappers() {
    return {wrapper_of<sluice_device>(), wrapper_of<sluice_step>(),        wrapper_of<sluice_streams>(),
            wrapper_of<sluice_usage>(),  wrapper_of<sluice_device_time>(), wrapper_of<sluice_device_activity>()};
}

}  // namespace sluice::call_checks
