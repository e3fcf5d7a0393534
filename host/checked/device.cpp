// Devices, and what they serve beside.
#include "checked/contract.hpp"
#include "sluice/kind/streams.h"

namespace sluice::registry::checked {

template <>
struct Contract<sluice_device> {
    using T = sluice_device;
    static constexpr const char* kId = SLUICE_DEVICE_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::count, "count", "[any]"),
        Function(&T::create, "create", "[any]").makes(Handle::object),
        Function(&T::destroy, "destroy", "[serial]").ends(Handle::object),
        Function(&T::info, "info", "[any]"),
        Function(&T::alloc, "alloc", "[serial]").makes(Handle::block),
        Function(&T::free, "free", "[serial]").takes(Handle::block).ends(Handle::block),
        Function(&T::host_alloc, "host_alloc", "[serial]").makes(Handle::host_block),
        Function(&T::host_free, "host_free", "[serial]").takes(Handle::host_block).ends(Handle::host_block),
        Function(&T::stream_create, "stream_create", "[serial]").makes(Handle::stream),
        Function(&T::stream_destroy, "stream_destroy", "[serial]").takes(Handle::stream).ends(Handle::stream),
        Function(&T::stream_wait, "stream_wait", "[serial]").takes(Handle::stream),
        Function(&T::copy, "copy", "[enqueue]").takes(Handle::none, Handle::stream),
        Function(&T::zero, "zero", "[enqueue]").takes(Handle::none, Handle::stream)};
};

template <>
struct Contract<sluice_step> {
    using T = sluice_step;
    static constexpr const char* kId = SLUICE_STEP_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::begin, "begin", "[enqueue]").takes(Handle::stream),
        Function(&T::add_loss, "add_loss", "[enqueue]").takes(Handle::stream),
        Function(&T::workspace, "workspace", "[any]"),
        Function(&T::sum_squares, "sum_squares", "[enqueue]").takes(Handle::none, Handle::stream),
        Function(&T::decide, "decide", "[enqueue]").takes(Handle::stream),
        Function(&T::restore, "restore", "[enqueue]").takes(Handle::stream),
        Function(&T::move_average, "move_average", "[enqueue]").takes(Handle::stream),
        Function(&T::round, "round", "[enqueue]").takes(Handle::none, Handle::stream)};
};

template <>
struct Contract<sluice_streams> {
    using T = sluice_streams;
    static constexpr const char* kId = SLUICE_STREAMS_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::event_create, "event_create", "[serial]").makes(Handle::event),
        Function(&T::event_destroy, "event_destroy", "[serial]").takes(Handle::event).ends(Handle::event),
        Function(&T::event_record, "event_record", "[enqueue]").takes(Handle::event, Handle::stream),
        Function(&T::stream_wait_event, "stream_wait_event", "[enqueue]").takes(Handle::stream, Handle::event),
        Function(&T::event_wait, "event_wait", "[any]").takes(Handle::event),
        Function(&T::event_seconds, "event_seconds", "[any]").takes(Handle::event, Handle::event),
        Function(&T::capture_begin, "capture_begin", "[serial]").takes(Handle::stream),
        Function(&T::capture_end, "capture_end", "[serial]").takes(Handle::stream).makes(Handle::graph),
        Function(&T::graph_launch, "graph_launch", "[enqueue]").takes(Handle::graph, Handle::stream),
        Function(&T::graph_destroy, "graph_destroy", "[serial]").takes(Handle::graph).ends(Handle::graph)};
};

template <>
struct Contract<sluice_usage> {
    static constexpr const char* kId = SLUICE_USAGE_V1;
    static constexpr std::tuple kFunctions{Function(&sluice_usage::read, "read", "[any]")};
};

std::vector<Wrapper> device_wrappers() {
    return {wrapper_of<sluice_device>(), wrapper_of<sluice_step>(), wrapper_of<sluice_streams>(),
            wrapper_of<sluice_usage>()};
}

}  // namespace sluice::registry::checked
