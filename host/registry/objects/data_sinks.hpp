// Sinks for sources and transforms: they receive the announced fields and the written samples.
#pragma once

#include <span>
#include <vector>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/exception_fence.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/sample_writer.hpp"
#include "sluice/kind/source.h"

namespace sluice::registry {

// Collects the fields and the length that describe() reports.
class FieldCollector {
public:
    explicit FieldCollector(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_field_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    std::vector<Field> fields;
    std::uint64_t length = 0;

private:
    static FieldCollector& from(const sluice_field_sink* sink) { return *static_cast<FieldCollector*>(sink->impl); }
    static void on_field(const sluice_field_sink* sink, const sluice_field* field) noexcept {
        from(sink).fence.run([&] { from(sink).add(*field); });
    }
    static void on_length(const sluice_field_sink* sink, std::uint64_t length) noexcept { from(sink).length = length; }
    void add(const sluice_field& field);

    const Component& component_;
    const sluice_field_sink abi_{sizeof(sluice_field_sink), this, on_field, on_length};
};

// Passes one sample on to a SampleWriter. Allocates only for a name that needs escaping.
class SampleRelay {
public:
    SampleRelay(const Component& component, std::span<const Field> fields, SampleWriter& writer)
        : component_(component), fields_(fields), writer_(writer) {}
    // Calls function(args..., sink, &error) of the plugin and checks that it has written every announced field. what()
    // begins the message of an error.
    template <class What, class Function, class... Args>
    void take(const What& what, Function function, Args... args) {
        sluice_error error{};
        const sluice_status status = enter(component_, function, args..., &abi_, &error);
        fence_.rethrow();
        if (status != SLUICE_OK) {
            throw_status(component_, what(), status, error);
        }
        check_complete();
    }

private:
    static SampleRelay& from(const sluice_sample_sink* sink) { return *static_cast<SampleRelay*>(sink->impl); }
    static void* on_allocate(const sluice_sample_sink* sink, std::uint32_t field,
                             const sluice_tensor_spec* spec) noexcept {
        void* memory = nullptr;
        from(sink).fence_.run([&] { memory = from(sink).allocate(field, *spec); });
        return memory;
    }
    static void on_name(const sluice_sample_sink* sink, sluice_text name) noexcept {
        from(sink).fence_.run([&] { from(sink).name(name); });
    }
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec);
    void name(sluice_text name);
    void check_complete() const;

    ExceptionFence fence_;
    const Component& component_;
    std::span<const Field> fields_;
    SampleWriter& writer_;
    std::uint64_t written_ = 0;  // bit i: field i was written
    const sluice_sample_sink abi_{sizeof(sluice_sample_sink), this, on_allocate, on_name};
};

}  // namespace sluice::registry
