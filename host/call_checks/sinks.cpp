#include "call_checks/sinks.hpp"

namespace sluice::call_checks {
namespace {

CheckedCall& call_of(const auto* sink) {
    using Sink = std::remove_cvref_t<decltype(*sink)>;
    return *static_cast<const LentSink<Sink>*>(sink->impl)->call;
}

// Counts what a launch will contain: saved tensors of a kernel, states of an optimizer.
void add_saved(const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
    ++call_of(sink).counts.saved;
    Relay<&sluice_kernel_sink::add_saved>::pass(sink, bytes);
}

void add_state(const sluice_optimizer_sink* sink, sluice_text name) noexcept {
    ++call_of(sink).counts.states;
    Relay<&sluice_optimizer_sink::add_state>::pass(sink, name);
}

bool is_of_a_source(CheckedCall& call) {
    return call.component() != nullptr && call.component()->manifest().kind == registry::Kind::source;
}

void set_length(const sluice_field_sink* sink, std::uint64_t length) noexcept {
    if (!is_of_a_source(call_of(sink))) {
        call_of(sink).broken(Rule::sink_other, "calls set_length()");
    }
    Relay<&sluice_field_sink::set_length>::pass(sink, length);
}

// The memory of a sample has guard bytes on both sides until the call has returned.
void* allocate(const sluice_sample_sink* sink, std::uint32_t field, const sluice_tensor_spec* spec) noexcept {
    void* const theirs = Relay<&sluice_sample_sink::allocate>::pass(sink, field, spec);
    return theirs == nullptr ? nullptr : call_of(sink).outputs().lend_field(field, theirs, *spec);
}

void set_name(const sluice_sample_sink* sink, sluice_text name) noexcept {
    if (!is_of_a_source(call_of(sink))) {
        call_of(sink).broken(Rule::sink_other, "calls set_name()");
    }
    Relay<&sluice_sample_sink::set_name>::pass(sink, name);
}

}  // namespace

void fill(sluice_field_sink& sink) {
    sink.add_field = Relay<&sluice_field_sink::add_field>::pass;
    sink.set_length = set_length;
}

void fill(sluice_sample_sink& sink) {
    sink.allocate = allocate;
    sink.set_name = set_name;
}

void fill(sluice_layer_sink& sink) {
    sink.add_output = Relay<&sluice_layer_sink::add_output>::pass;
    sink.add_parameter = Relay<&sluice_layer_sink::add_parameter>::pass;
    sink.add_state = Relay<&sluice_layer_sink::add_state>::pass;
    sink.set_flops = Relay<&sluice_layer_sink::set_flops>::pass;
}

void fill(sluice_kernel_sink& sink) {
    sink.add_saved = add_saved;
    sink.set_workspace = Relay<&sluice_kernel_sink::set_workspace>::pass;
    sink.backward_reads_input = Relay<&sluice_kernel_sink::backward_reads_input>::pass;
    sink.backward_reads_output = Relay<&sluice_kernel_sink::backward_reads_output>::pass;
    sink.set_note = Relay<&sluice_kernel_sink::set_note>::pass;
    sink.may_overwrite = Relay<&sluice_kernel_sink::may_overwrite>::pass;
    sink.may_overwrite_gradient = Relay<&sluice_kernel_sink::may_overwrite_gradient>::pass;
    sink.recall = Relay<&sluice_kernel_sink::recall>::pass;
    sink.remember = Relay<&sluice_kernel_sink::remember>::pass;
    sink.computes_in = Relay<&sluice_kernel_sink::computes_in>::pass;
    sink.reads_rounded_parameters = Relay<&sluice_kernel_sink::reads_rounded_parameters>::pass;
    sink.set_arithmetic = Relay<&sluice_kernel_sink::set_arithmetic>::pass;
}

void fill(sluice_optimizer_sink& sink) { sink.add_state = add_state; }

void fill(sluice_library_sink& sink) { sink.add_library = Relay<&sluice_library_sink::add_library>::pass; }

void fill(sluice_activity_sink& sink) {
    sink.add = Relay<&sluice_activity_sink::add>::pass;
    sink.add_dropped = Relay<&sluice_activity_sink::add_dropped>::pass;
}

}  // namespace sluice::call_checks
