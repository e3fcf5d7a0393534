// Replaces the arguments of a checked call by copies in lent memory, which may become unreadable when the call has
// returned. Pointers to device memory are passed on unchanged.
#pragma once

#include "call_checks/checked_call.hpp"
#include "call_checks/sinks.hpp"
#include "sluice/kind/batch_transform.h"
#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/observer.h"
#include "sluice/kind/precision.h"
#include "sluice/kind/step.h"
#include "sluice/kind/strategy.h"
#include "sluice/kind/usage.h"
#include "sluice/kind/window.h"

namespace sluice::call_checks {

// Array lengths of one call. `last` is the length of arrays of windows and extents, `first` that of all others.
struct Lengths {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

// The operator is called once for each argument, from first to last.
class Lender {
public:
    Lender(CheckedCall& call, Lengths lengths) : call_(call), length_(lengths.first), window_count_(lengths.last) {}

    // Passes numbers, structs by value and device memory on unchanged.
    template <class T>
    T operator()(T value) {
        return value;
    }
    std::uint32_t operator()(std::uint32_t number);
    const sluice_host* operator()(const sluice_host* host);
    void* operator()(void* pointer);
    void** operator()(void** made) { return call_.lend_made(made); }
    sluice_error* operator()(sluice_error* error) { return call_.lend_error(error); }
    sluice_text operator()(sluice_text text);

    // Arrays that the plugin reads.
    const std::uint8_t* operator()(const std::uint8_t* values) { return array(values); }
    const double* operator()(const double* values) { return array(values); }
    const sluice_tensor_spec* operator()(const sluice_tensor_spec* values) { return array(values); }
    const sluice_extent* operator()(const sluice_extent* values) { return call_.lent().copy(values, window_count_); }
    const sluice_window* operator()(const sluice_window* values) { return call_.lent().copy(values, window_count_); }
    const sluice_tensor* operator()(const sluice_tensor* tensors);
    const sluice_field* operator()(const sluice_field* fields);
    const sluice_node* const* operator()(const sluice_node* const* chain);
    // Structs that the plugin reads.
    const sluice_value* operator()(const sluice_value* options);
    const sluice_random_key* operator()(const sluice_random_key* key) { return call_.lent().copy(key, 1); }
    const sluice_step_rule* operator()(const sluice_step_rule* rule) { return sized(rule); }
    const sluice_precision_query* operator()(const sluice_precision_query* query);
    const sluice_launch* operator()(const sluice_launch* launch);
    const sluice_optimizer_launch* operator()(const sluice_optimizer_launch* launch);
    const sluice_collective* operator()(const sluice_collective* collective);
    const sluice_event* operator()(const sluice_event* event);
    const sluice_threads* operator()(const sluice_threads* threads);

    const sluice_field_sink* operator()(const sluice_field_sink* sink) { return lend_sink(call_, sink); }
    const sluice_sample_sink* operator()(const sluice_sample_sink* sink) { return lend_sink(call_, sink); }
    const sluice_layer_sink* operator()(const sluice_layer_sink* sink) { return lend_sink(call_, sink); }
    const sluice_optimizer_sink* operator()(const sluice_optimizer_sink* sink) { return lend_sink(call_, sink); }
    const sluice_library_sink* operator()(const sluice_library_sink* sink) { return lend_sink(call_, sink); }
    const sluice_activity_sink* operator()(const sluice_activity_sink* sink) { return lend_sink(call_, sink); }
    const sluice_kernel_sink* operator()(const sluice_kernel_sink* sink);

    // Memory that the plugin writes.
    std::uint8_t* operator()(std::uint8_t* values) { return output(values); }
    std::uint32_t* operator()(std::uint32_t* values) { return output(values); }
    std::uint64_t* operator()(std::uint64_t* values) { return output(values); }
    std::int64_t* operator()(std::int64_t* values) { return output(values); }
    double* operator()(double* values) { return output(values); }
    sluice_extent* operator()(sluice_extent* values) { return output(values, window_count_); }
    sluice_window* operator()(sluice_window* values) {  // the host has set `shrink`
        return static_cast<sluice_window*>(
            call_.outputs().lend(values, sizeof(*values), window_count_, OutputMemory::Filled::already));
    }
    sluice_layer_traits* operator()(sluice_layer_traits* traits) { return sized_output(traits); }
    sluice_precision_traits* operator()(sluice_precision_traits* traits) { return sized_output(traits); }
    sluice_precision_choice* operator()(sluice_precision_choice* choice) { return sized_output(choice); }
    sluice_topology* operator()(sluice_topology* topology) { return sized_output(topology); }
    sluice_device_info* operator()(sluice_device_info* info) { return sized_output(info); }
    sluice_usage_figures* operator()(sluice_usage_figures* figures) { return sized_output(figures); }

private:
    template <class T>
    T* array(T* values) {
        return call_.lent().copy(values, length_);
    }
    // Copies struct_size bytes, which may be more than sizeof(T).
    template <class T>
    T* sized(const T* value) {
        const auto* const bytes = reinterpret_cast<const std::uint64_t*>(value);
        return reinterpret_cast<T*>(call_.lent().copy(bytes, (value->struct_size + 7) / 8));
    }
    template <class T>
    T* output(T* values) {
        return output(values, length_);
    }
    template <class T>
    T* output(T* values, std::uint64_t length) {
        const std::uint64_t count = call_.rules().fills == FunctionRules::kAll ? length : call_.rules().fills;
        return static_cast<T*>(call_.outputs().lend(values, sizeof(T), count, OutputMemory::Filled::whole));
    }
    template <class T>
    T* sized_output(T* value) {
        return static_cast<T*>(call_.outputs().lend_sized(value));
    }
    [[nodiscard]] sluice_text text(sluice_text text);
    void fill_value(sluice_value& value);
    void fill_tensor(sluice_tensor& tensor, bool with_data);
    const sluice_node* node(const sluice_node& theirs);

    CheckedCall& call_;
    std::uint64_t length_;
    std::uint64_t window_count_;
    int pointers_ = 0;  // `void *` arguments so far
};

}  // namespace sluice::call_checks
