#include "call_checks/lend.hpp"

#include <cstring>

namespace sluice::call_checks {
namespace {

// Lies in lent memory, so it must not change during the call. The state that changes is in `call`.
struct LentThreads {
    sluice_threads abi;
    const sluice_threads* original;
    CheckedCall* call;
    bool is_over;
};

void parallel_for(const sluice_threads* threads, std::int64_t n, std::int64_t grain,
                  void (*body)(void* context, std::int64_t begin, std::int64_t end, std::uint32_t piece) noexcept,
                  void* context) noexcept {
    const auto& own = *static_cast<const LentThreads*>(threads->impl);
    if (own.is_over) {
        return;
    }
    if (own.call->teams++ > 0) {
        own.call->broken(Rule::team, "calls parallel_for() while another parallel_for() runs");
    } else {
        own.original->parallel_for(own.original, n, grain, body, context);
    }
    --own.call->teams;
}

std::uint64_t bytes_of(const sluice_tensor& tensor) {
    std::uint64_t count = 1;
    for (std::int32_t i = 0; i < tensor.rank; ++i) {
        count *= static_cast<std::uint64_t>(tensor.shape[i]);
    }
    return (count * tensor.dtype.bits * tensor.dtype.lanes + 7) / 8;
}

}  // namespace

const sluice_host* Lender::operator()(const sluice_host* host) {
    call_.created_by(CheckedComponent::of(host));
    return host;
}

void* Lender::operator()(void* pointer) {
    const int number = pointers_++;
    const FunctionRules& rules = call_.rules();
    if (number == 0) {
        return rules.on == Handle::object ? call_.enter_object(pointer) : call_.enter_part(pointer, rules.on);
    }
    const Handle kind = number <= 2 ? rules.takes[static_cast<std::size_t>(number - 1)] : Handle::none;
    if (kind == Handle::context || kind == Handle::kernel) {
        return call_.enter_part(pointer, kind);
    }
    if (kind != Handle::none) {
        call_.expect_handle(pointer, kind);
    }
    return pointer;
}

std::uint32_t Lender::operator()(std::uint32_t number) {
    if (call_.rules().tag == Tag::serial_for_replica) {
        call_.enter_replica(number);
    }
    return number;
}

sluice_text Lender::text(sluice_text text) { return {call_.lent().copy(text.ptr, text.len), text.len}; }

sluice_text Lender::operator()(sluice_text value) { return text(value); }

void Lender::fill_tensor(sluice_tensor& tensor, bool with_data) {
    const auto rank = static_cast<std::size_t>(tensor.rank);
    constexpr std::uint64_t kMost = LentMemory::kNowhere;  // copies of larger tensors take too long
    const std::uint64_t bytes = bytes_of(tensor);
    tensor.shape = call_.lent().copy(tensor.shape, rank);
    tensor.strides = call_.lent().copy(tensor.strides, rank);
    if (with_data && bytes > 0 && bytes <= kMost && bytes + 64 <= call_.lent().left()) {
        std::byte* const data = call_.lent().take(bytes, 64);
        std::memcpy(data, static_cast<const std::byte*>(tensor.data) + tensor.byte_offset, bytes);
        tensor.data = call_.lent().nowhere();
        tensor.byte_offset = static_cast<std::uint64_t>(data - call_.lent().nowhere());
    }
}

const sluice_tensor* Lender::operator()(const sluice_tensor* tensors) {
    TrackedObject* const part = call_.part();
    if (call_.rules().takes_up_loan && part != nullptr && part->loan.memory != nullptr) {
        if (part->loan.host_tensors != tensors) {
            call_.broken(Rule::order, "is called with fields other than those given to extents()");
        }
        return static_cast<const sluice_tensor*>(part->loan.plugin_tensors);
    }
    sluice_tensor* const ours = array(const_cast<sluice_tensor*>(tensors));
    for (std::uint64_t i = 0; i < length_; ++i) {
        fill_tensor(ours[i], !call_.rules().writes_fields);
    }
    if (call_.rules().keeps_loan && part != nullptr) {
        part->loan.memory.reset();
        part->loan.host_tensors = tensors;
        part->loan.plugin_tensors = ours;
    }
    return ours;
}

const sluice_field* Lender::operator()(const sluice_field* fields) {
    sluice_field* const ours = array(const_cast<sluice_field*>(fields));
    for (std::uint64_t i = 0; i < length_; ++i) {
        ours[i].name = text(ours[i].name);
    }
    return ours;
}

void Lender::fill_value(sluice_value& value) {
    if (value.kind == SLUICE_STRING) {
        value.as.text = call_.lent().copy(value.as.text, value.count);
    } else if (value.kind == SLUICE_ARRAY) {
        sluice_value* const items = call_.lent().copy(const_cast<sluice_value*>(value.as.items), value.count);
        for (std::uint64_t i = 0; i < value.count; ++i) {
            fill_value(items[i]);
        }
        value.as.items = items;
    } else if (value.kind == SLUICE_TABLE) {
        sluice_pair* const pairs = call_.lent().copy(const_cast<sluice_pair*>(value.as.pairs), value.count);
        for (std::uint64_t i = 0; i < value.count; ++i) {
            pairs[i].key = text(pairs[i].key);
            fill_value(pairs[i].value);
        }
        value.as.pairs = pairs;
    }
}

const sluice_value* Lender::operator()(const sluice_value* options) {
    sluice_value* const ours = call_.lent().copy(const_cast<sluice_value*>(options), options == nullptr ? 0 : 1);
    if (ours != nullptr) {
        fill_value(*ours);
    }
    return ours;
}

const sluice_node* Lender::node(const sluice_node& theirs) {
    sluice_node* const ours = sized(&theirs);
    LentMemory& lent = call_.lent();
    ours->type = text(theirs.type);
    ours->path = text(theirs.path);
    ours->options = (*this)(theirs.options);
    ours->inputs = lent.copy(theirs.inputs, theirs.input_count);
    ours->outputs = lent.copy(theirs.outputs, theirs.output_count);
    ours->parameters = lent.copy(theirs.parameters, theirs.parameter_count);
    ours->states = lent.copy(theirs.states, theirs.state_count);
    TrackedObject::Counts& counts = call_.counts;
    counts.inputs += theirs.input_count - (theirs.chained_input >= 0 ? 1 : 0);
    counts.outputs = theirs.output_count;  // the chain's outputs are those of its last node
    counts.parameters += theirs.parameter_count;
    counts.states += theirs.state_count;
    return ours;
}

const sluice_node* const* Lender::operator()(const sluice_node* const* chain) {
    const sluice_node** const ours = array(const_cast<const sluice_node**>(chain));
    for (std::uint64_t i = 0; i < length_; ++i) {
        ours[i] = node(*ours[i]);
    }
    return ours;
}

const sluice_precision_query* Lender::operator()(const sluice_precision_query* query) {
    sluice_precision_query* const ours = sized(query);
    ours->type = text(query->type);
    ours->path = text(query->path);
    return ours;
}

const sluice_threads* Lender::operator()(const sluice_threads* threads) {
    if (threads == nullptr) {
        return nullptr;
    }
    if (call_.component() != nullptr && call_.component()->computes_off_cpu()) {
        call_.broken(Rule::threads_elsewhere, "is given threads of the CPU");
    }
    auto* const place = call_.lent().take(sizeof(LentThreads), alignof(LentThreads));
    auto* const ours = new (place) LentThreads{*threads, threads, &call_, false};
    ours->abi.impl = ours;
    ours->abi.parallel_for = parallel_for;
    call_.call_at_end([ours] { ours->is_over = true; });
    return &ours->abi;
}

const sluice_kernel_sink* Lender::operator()(const sluice_kernel_sink* sink) {
    const sluice_kernel_sink* const ours = lend_sink(call_, sink);
    const_cast<sluice_kernel_sink*>(ours)->threads = (*this)(sink->threads);
    return ours;
}

const sluice_launch* Lender::operator()(const sluice_launch* launch) {
    sluice_launch* const ours = sized(launch);
    const TrackedObject::Counts counts = call_.part() == nullptr ? TrackedObject::Counts{} : call_.part()->counts;
    LentMemory& lent = call_.lent();
    ours->inputs = lent.copy(launch->inputs, counts.inputs);
    ours->outputs = lent.copy(launch->outputs, counts.outputs);
    ours->parameters = lent.copy(launch->parameters, counts.parameters);
    ours->states = lent.copy(launch->states, counts.states);
    ours->saved = lent.copy(launch->saved, counts.saved);
    ours->output_gradients = lent.copy(launch->output_gradients, counts.outputs);
    ours->input_gradients = lent.copy(launch->input_gradients, counts.inputs);
    ours->parameter_gradients = lent.copy(launch->parameter_gradients, counts.parameters);
    ours->threads = (*this)(launch->threads);
    ours->rounded_parameters = lent.copy(launch->rounded_parameters, counts.parameters);
    return ours;
}

const sluice_optimizer_launch* Lender::operator()(const sluice_optimizer_launch* launch) {
    sluice_optimizer_launch* const ours = sized(launch);
    const std::uint32_t states = call_.object() == nullptr ? 0 : call_.object()->counts.states;
    ours->states = call_.lent().copy(launch->states, states);
    ours->threads = (*this)(launch->threads);
    return ours;
}

// The buffers that a collective names stay valid until finish(), so only the struct is copied.
const sluice_collective* Lender::operator()(const sluice_collective* collective) {
    call_.enter_replica(collective->replica);
    if (collective->threads != nullptr && call_.component() != nullptr && call_.component()->computes_off_cpu()) {
        call_.broken(Rule::threads_elsewhere, "is given threads of the CPU");
    }
    return sized(collective);
}

const sluice_event* Lender::operator()(const sluice_event* event) {
    sluice_event* const ours = sized(event);
    ours->text = text(event->text);
    auto* const scalars = call_.lent().copy(const_cast<sluice_scalar*>(event->scalars), event->scalar_count);
    for (std::uint64_t i = 0; i < event->scalar_count; ++i) {
        scalars[i].name = text(scalars[i].name);
    }
    ours->scalars = scalars;
    auto* const tensors = call_.lent().copy(const_cast<sluice_named_tensor*>(event->tensors), event->tensor_count);
    for (std::uint64_t i = 0; i < event->tensor_count; ++i) {
        tensors[i].name = text(tensors[i].name);
        fill_tensor(tensors[i].tensor, true);
    }
    ours->tensors = tensors;
    return ours;
}

}  // namespace sluice::call_checks
