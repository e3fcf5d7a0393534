// RAII owners of the objects that components create, one class per kind. Each is a thin, typed view of an ABI table.
// Code outside of this folder never calls a table.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.hpp"
#include "registry/loading/call.hpp"
#include "registry/objects/tuning_cache.hpp"
#include "sluice/kind/device.h"
#include "sluice/kind/kernel.h"
#include "sluice/kind/layer.h"
#include "sluice/kind/observer.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/precision.h"
#include "sluice/kind/source.h"
#include "sluice/kind/step.h"
#include "sluice/kind/strategy.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/transform.h"
#include "sluice/kind/usage.h"

namespace sluice::registry {

// Owns a plugin's object from create() to destroy(). Table is the interface of its kind.
template <class Table>
class Object {
public:
    Object(Component component, void* self) : component_(std::move(component)), self_(self) {}
    ~Object() {
        if (self_ != nullptr) {
            enter(component_, table()->destroy, self_);
        }
    }
    Object(Object&& other) noexcept
        : component_(std::move(other.component_)), self_(std::exchange(other.self_, nullptr)) {}
    Object& operator=(Object&&) = delete;

    [[nodiscard]] const Table* table() const { return static_cast<const Table*>(component_.table); }
    [[nodiscard]] void* self() const { return self_; }
    [[nodiscard]] const Component& component() const { return component_; }

private:
    Component component_;
    void* self_;
};

// ---- device
// ----------------------------------------------------------------------------------------------------------

// Bytes of device memory that blocks hold now, and their peak. Any thread may call it.
class BlockCount {
public:
    void add(std::uint64_t bytes);
    void remove(std::uint64_t bytes) { now_ -= bytes; }
    [[nodiscard]] std::uint64_t most() const { return most_; }

private:
    std::atomic<std::uint64_t> now_ = 0;
    std::atomic<std::uint64_t> most_ = 0;
};

class Device {
public:
    // Throws Error(Exit::device) with the reason if device number `index` does not exist or cannot be opened.
    Device(const Component& component, const Table& options, std::uint32_t index);
    static std::uint32_t count(const Component& component);

    [[nodiscard]] const sluice_device_info& info() const { return info_; }
    [[nodiscard]] bool is_host_memory() const { return info_.ref.type == SLUICE_DEVICE_CPU; }
    [[nodiscard]] std::string kind() const { return object_.component().manifest->provides; }
    void copy(void* to, const void* from, std::uint64_t bytes, void* stream) const;
    void zero(void* block, std::uint64_t bytes, void* stream) const;
    void wait(void* stream) const;
    [[nodiscard]] const Object<sluice_device>& object() const { return object_; }
    // Optional interfaces of the device; null if it does not serve them.
    [[nodiscard]] const sluice_step* step() const { return step_; }
    [[nodiscard]] const sluice_streams* streams() const { return streams_; }
    [[nodiscard]] const sluice_usage* usage() const { return usage_; }
    // Counts the memory of Block objects. Memory that kernels allocate themselves in plan() is not included.
    [[nodiscard]] BlockCount& blocks() const { return blocks_; }

private:
    Object<sluice_device> object_;
    sluice_device_info info_{};
    const sluice_step* step_;
    const sluice_streams* streams_;
    const sluice_usage* usage_;
    mutable BlockCount blocks_;
};

// Owns one block of device memory or pinned host memory.
class Block {
public:
    enum class Where { device, pinned_host };
    Block(std::shared_ptr<const Device> device, std::uint64_t bytes, Where where = Where::device);
    ~Block();
    Block(Block&& other) noexcept;
    Block& operator=(Block&& other) noexcept;
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
    [[nodiscard]] std::uint64_t size() const { return bytes_; }

private:
    std::shared_ptr<const Device> device_;
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
    Where where_ = Where::device;
};

class Stream {
public:
    explicit Stream(std::shared_ptr<const Device> device);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] void* handle() const { return handle_; }

private:
    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

// ---- layer type and kernel
// ---------------------------------------------------------------------------------------------

struct ParameterInfo {
    std::string name;
    sluice_tensor_spec spec{};
    std::int32_t initializer = SLUICE_INIT_ZEROS;
    double argument = 0.0;
    std::int64_t fan_in = 0;
    std::int64_t fan_out = 0;
};

struct StateInfo {
    std::string name;
    sluice_tensor_spec spec{};
    double initial = 0.0;
};

struct LayerShape {
    std::vector<sluice_tensor_spec> outputs;
    std::vector<ParameterInfo> parameters;
    std::vector<StateInfo> states;
    double flops = 0.0;
};

class Layer {
public:
    // `options` must be complete, as Registry::options() returns them.
    Layer(const Component& component, const Table& options, const std::string& where);
    [[nodiscard]] const sluice_layer_traits& traits() const { return traits_; }
    // `where` opens messages: "deblur.toml:30:5: layer 'residual/1/add'".
    [[nodiscard]] LayerShape infer(std::span<const sluice_tensor_spec> inputs, const std::string& where) const;
    [[nodiscard]] double finalize(std::span<const double> sums) const;

private:
    Object<sluice_layer> object_;
    sluice_layer_traits traits_{};
};

// An input and an output of a launch that may share memory.
struct InPlace {
    std::uint32_t input = 0;
    std::uint32_t output = 0;
};

// What a kernel asked for in plan().
struct KernelNeeds {
    std::vector<std::uint64_t> saved;  // bytes of each tensor saved for backward
    std::uint64_t workspace = 0;       // bytes
    std::uint64_t reads_inputs = 0;    // bit i: backward reads input i
    std::uint64_t reads_outputs = 0;   // bit i: backward reads output i
    // Pairs of the same size that may share memory: input and output of forward, output and input gradient of backward.
    std::vector<InPlace> in_place;
    std::vector<InPlace> in_place_gradients;
    std::optional<sluice_dtype> computes_in;         // set if it differs from the type that the nodes ask for
    std::optional<sluice_dtype> rounded_parameters;  // launches also get the parameters rounded to this type
    std::string note;
};

// Passed to plan(); must outlive the call.
struct PlanInputs {
    const sluice_threads* threads = nullptr;  // NULL on devices other than the CPU
    TuningCache* choices = nullptr;
};

class Kernel;

class KernelProvider {
public:
    KernelProvider(const Component& component, const Table& options, const Device& device);
    // Returns the reason if the provider does not support the chain; nothing if it does.
    [[nodiscard]] std::optional<std::string> refuses(std::span<const sluice_node> chain) const;
    // Returns nothing and sets `refusal` to the reason if plan() returns SLUICE_UNSUPPORTED after all.
    [[nodiscard]] std::optional<Kernel> plan(std::span<const sluice_node> chain, const std::string& where,
                                             const PlanInputs& aids, std::string& refusal) const;
    [[nodiscard]] std::string name() const { return object_->component().manifest->provides; }
    // Name with component id and plugin version, for messages.
    [[nodiscard]] const std::string& label() const { return object_->component().label; }

private:
    friend class Kernel;
    std::shared_ptr<Object<sluice_kernel>> object_;
};

class Kernel {
public:
    Kernel(std::shared_ptr<Object<sluice_kernel>> provider, void* kernel, KernelNeeds needs, std::string where);
    ~Kernel();
    Kernel(Kernel&& other) noexcept;
    [[nodiscard]] const KernelNeeds& needs() const { return needs_; }
    [[nodiscard]] std::string provider() const { return provider_->component().manifest->provides; }
    void forward(const sluice_launch& launch) const;
    void backward(const sluice_launch& launch) const;

private:
    std::shared_ptr<Object<sluice_kernel>> provider_;
    void* kernel_;
    KernelNeeds needs_;
    std::string where_;
};

// ---- data ----------------------------------------------------------------------------------------------------------

struct Field {
    std::string name;
    std::int32_t role = SLUICE_FIELD_TENSOR;
    sluice_tensor_spec spec{};
};

// Receives the fields of one sample. allocate() gets the number of the field and returns memory for it, or throws; it
// never returns null.
class SampleWriter {
public:
    virtual ~SampleWriter() = default;
    virtual void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) = 0;
    virtual void set_name(std::string_view name) = 0;
};

// State of one worker at one source or transform.
class WorkerContext {
public:
    // `component` must live until this object is destroyed.
    WorkerContext(const Component& component, void* self, void* context, void (*destroy)(void*, void*)) noexcept
        : component_(&component), self_(self), context_(context), destroy_(destroy) {}
    ~WorkerContext() {
        if (context_ != nullptr) {
            enter(*component_, destroy_, self_, context_);
        }
    }
    WorkerContext(WorkerContext&& other) noexcept
        : component_(other.component_),
          self_(other.self_),
          context_(std::exchange(other.context_, nullptr)),
          destroy_(other.destroy_) {}
    WorkerContext& operator=(WorkerContext&&) = delete;
    [[nodiscard]] void* get() const { return context_; }

private:
    const Component* component_;
    void* self_;
    void* context_;
    void (*destroy_)(void*, void*);
};

class Source {
public:
    Source(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] const Object<sluice_source>& object() const { return object_; }
    [[nodiscard]] std::span<const Field> fields() const { return fields_; }
    [[nodiscard]] std::uint64_t length() const { return length_; }
    [[nodiscard]] WorkerContext make_context() const;
    void read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed, SampleWriter& writer) const;

private:
    Object<sluice_source> object_;
    std::vector<Field> fields_;
    std::uint64_t length_ = 0;
};

class Transform {
public:
    // `incoming`: the fields of its input.
    Transform(const Component& component, const Table& options, const Origin& origin, std::span<const Field> incoming);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] const Object<sluice_transform>& object() const { return object_; }
    // The fields that the transform writes.
    [[nodiscard]] std::span<const Field> written() const { return written_; }
    [[nodiscard]] WorkerContext make_context() const;
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               SampleWriter& writer) const;

private:
    Object<sluice_transform> object_;
    std::vector<Field> written_;
};

// ---- optimizer, precision, strategy, observer
// -----------------------------------------------------------------------------------------------

class Optimizer {
public:
    Optimizer(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::span<const std::string> states() const { return states_; }
    void update(const sluice_optimizer_launch& launch) const;
    [[nodiscard]] const Object<sluice_optimizer>& object() const { return object_; }

private:
    Object<sluice_optimizer> object_;
    std::vector<std::string> states_;
};

class Precision {
public:
    Precision(const Component& component, const Table& options, const Origin& origin);
    // Traits of the whole policy. `candidates` points to memory of the plugin.
    [[nodiscard]] const sluice_precision_traits& traits() const { return traits_; }
    [[nodiscard]] sluice_precision_choice choose(std::string_view type, std::string_view path,
                                                 std::int32_t colour) const;

private:
    Object<sluice_precision> object_;
    sluice_precision_traits traits_{};
};

class Strategy {
public:
    Strategy(const Component& component, const Table& options, const Origin& origin, std::uint32_t device_count);
    [[nodiscard]] const sluice_topology& topology() const { return topology_; }
    // [any thread], one call at a time for a replica.
    void start(const sluice_collective& collective) const;
    // Throws Error(Exit::replica_lost) if another replica does not arrive within `seconds`, is lost or is out of step.
    void finish(std::uint32_t replica, double seconds) const;
    // Makes all waits of all replicas fail with `reason`, now and later. [any thread]
    void abort(std::string_view reason) const noexcept;
    [[nodiscard]] const Object<sluice_strategy>& object() const { return object_; }

private:
    Object<sluice_strategy> object_;
    sluice_topology topology_{};
};

class Observer {
public:
    Observer(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] std::uint64_t wants() const { return wants_; }
    void on_event(const sluice_event& event) const;
    [[nodiscard]] const Object<sluice_observer>& object() const { return object_; }

private:
    Object<sluice_observer> object_;
    std::uint64_t wants_ = 0;
};

}  // namespace sluice::registry
