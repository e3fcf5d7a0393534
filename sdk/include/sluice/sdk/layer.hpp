// Base class of layer types. A subclass has a constructor from (Host, Options), and traits() and infer().
#pragma once

#include <span>
#include <string_view>

#include "sluice/kind/layer.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

// infer() reports here.
class LayerSink {
public:
    explicit LayerSink(const sluice_layer_sink* sink) : sink_(sink) {}
    void output(const sluice_tensor_spec& spec) const { sink_->add_output(sink_, &spec); }
    void parameter(const sluice_parameter& parameter) const { sink_->add_parameter(sink_, &parameter); }
    void state(std::string_view name, const sluice_tensor_spec& spec, double initial) const {
        const sluice_layer_state state{text_of(name), spec, initial};
        sink_->add_state(sink_, &state);
    }
    void flops(double forward) const { sink_->set_flops(sink_, forward); }

private:
    const sluice_layer_sink* sink_;
};

class Layer {
public:
    virtual ~Layer() = default;
    // The caller fills in struct_size.
    [[nodiscard]] virtual sluice_layer_traits traits() const = 0;
    virtual void infer(std::span<const sluice_tensor_spec> inputs, const LayerSink& sink) const = 0;
    [[nodiscard]] virtual double finalize(std::span<const double> /*sums*/) const {
        throw Failure(SLUICE_UNSUPPORTED, "only metrics are finalized");
    }
};

template <class T>
inline constexpr sluice_layer layer_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Layer*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Layer*>(self); },
    .traits = [](void* self, sluice_layer_traits* traits, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(traits, static_cast<Layer*>(self)->traits()); });
    },
    .infer = [](void* self, const sluice_tensor_spec* inputs, std::uint32_t count, const sluice_layer_sink* sink,
                sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Layer*>(self)->infer({inputs, count}, LayerSink(sink)); });
    },
    .finalize = [](void* self, const double* sums, std::uint32_t count, double* value,
                   sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *value = static_cast<Layer*>(self)->finalize({sums, count}); });
    },
};

}  // namespace sluice::sdk
