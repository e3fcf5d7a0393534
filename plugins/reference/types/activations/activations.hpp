// Activations of single elements: y[i] depends only on x[i].
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// y = max(x, 0); NaN stays NaN.
class Relu : public sdk::Layer {
public:
    Relu(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// min(max(x, 0), 6); NaN stays NaN.
class Relu6 : public sdk::Layer {
public:
    Relu6(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

class Tanh : public sdk::Layer {
public:
    Tanh(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// x if it is positive, else slope * x.
class LeakyRelu : public sdk::Layer {
public:
    LeakyRelu(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// x if it is positive, else slope * x with a trained slope (He et al., 2015): parameter "slope" [C], or [1] if all
// channels share it.
class Prelu : public sdk::Layer {
public:
    Prelu(sdk::Host, const sdk::Options& options)
        : shares_(options.boolean("shared")), initial_(options.number("initial")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    bool shares_;
    double initial_;
};

// x times the normal distribution function (Hendrycks and Gimpel, 2016), exactly or with tanh(sqrt(2 / pi) (x +
// 0.044715 x^3)) in place of erf(x / sqrt(2)).
class Gelu : public sdk::Layer {
public:
    Gelu(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// x / (1 + exp(-x))
class Silu : public sdk::Layer {
public:
    Silu(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// 1 / (1 + exp(-x))
class Sigmoid : public sdk::Layer {
public:
    Sigmoid(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
