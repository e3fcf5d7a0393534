// group_norm, instance_norm and layer_norm, forward and backward. See types/norms/norms.hpp.
//
// All three are one computation: x is [N, P, G, K], and each part x[n, :, g, :] is normalised by itself. With affine,
// gamma and beta are [G, K].
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

struct Parts {
    std::int64_t samples;  // N
    std::int64_t pixels;   // P
    std::int64_t groups;   // G
    std::int64_t width;    // K

    [[nodiscard]] std::int64_t count() const { return pixels * width; }  // elements of one part
};

template <class T>
class NormKernel : public NodeKernel<T> {
public:
    NormKernel(const sdk::Node& node, const sdk::KernelSink& sink, const Parts& parts)
        : NodeKernel<T>(node),
          p_(parts),
          affine_(!node.parameters().empty()),
          trains_(node.trains()),
          epsilon_(node.options().number("epsilon")) {
        if (trains_) {
            sink.saved(2 * static_cast<std::uint64_t>(p_.samples * p_.groups) * sizeof(double));  // Statistics
            sink.backward_reads_input(0);
        }
    }

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        const float* const gamma = affine_ ? sdk::parameter(launch, 0) : nullptr;
        const float* const beta = affine_ ? sdk::parameter(launch, 1) : nullptr;
        for_each_part(launch, [&](std::int64_t part) {
            const Statistics found = statistics(x, part);
            for_elements(part, [&](std::int64_t at, std::int64_t feature) {
                const double normal = (static_cast<double>(x[at]) - found.mean) * found.inverse;
                y[at] = static_cast<T>(affine_ ? gamma[feature] * normal + beta[feature] : normal);
            });
            if (trains_) {
                sdk::saved<Statistics>(launch, 0)[part] = found;
            }
        });
    }

    // With g = dy * gamma, h = (x - mean) / deviation: dx = (g - mean of g - h * mean of g h) / deviation.
    void backward(const sluice_launch& launch) override {
        store_parameters(launch);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        const float* const gamma = affine_ ? sdk::parameter(launch, 0) : nullptr;
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const auto count = static_cast<double>(p_.count());
        for_each_part(launch, [&](std::int64_t part) {
            const auto slope = [&](std::int64_t at, std::int64_t feature) {
                return static_cast<double>(dy[at]) * (affine_ ? gamma[feature] : 1.0);
            };
            double sum = 0.0;
            double product = 0.0;
            for_elements(part, [&](std::int64_t at, std::int64_t feature) {
                sum += slope(at, feature);
                product += slope(at, feature) * normal_of(launch, part, at);
            });
            const double inverse = sdk::saved<Statistics>(launch, 0)[part].inverse;
            for_elements(part, [&](std::int64_t at, std::int64_t feature) {
                const double mean = (sum + normal_of(launch, part, at) * product) / count;
                put(dx + at, inverse * (slope(at, feature) - mean), this->adds_gradient(0));
            });
        });
    }

private:
    struct Statistics {
        double mean;
        double inverse;  // 1 / deviation
    };

    // Calls body(part) in parallel; part = n * G + g.
    template <class Body>
    void for_each_part(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, p_.samples * p_.groups, grain_of(p_.count()),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t part = begin; part < end; ++part) {
                                  body(part);
                              }
                          });
    }

    // Calls body(offset in x, offset in gamma) for the elements of a part.
    template <class Body>
    void for_elements(std::int64_t part, const Body& body) const {
        const std::int64_t first = part % p_.groups * p_.width;
        const std::int64_t pixel = p_.groups * p_.width;
        for (std::int64_t row = 0; row < p_.pixels; ++row) {
            const std::int64_t at = (part / p_.groups * p_.pixels + row) * pixel + first;
            for (std::int64_t k = 0; k < p_.width; ++k) {
                body(at + k, first + k);
            }
        }
    }

    [[nodiscard]] Statistics statistics(const T* x, std::int64_t part) const {
        const auto count = static_cast<double>(p_.count());
        double sum = 0.0;
        for_elements(part, [&](std::int64_t at, std::int64_t) { sum += static_cast<double>(x[at]); });
        const double mean = sum / count;
        double squares = 0.0;
        for_elements(part, [&](std::int64_t at, std::int64_t) {
            const double distance = static_cast<double>(x[at]) - mean;
            squares += distance * distance;
        });
        return {mean, 1.0 / std::sqrt(squares / count + epsilon_)};
    }

    [[nodiscard]] double normal_of(const sluice_launch& launch, std::int64_t part, std::int64_t at) const {
        const Statistics& found = sdk::saved<Statistics>(launch, 0)[part];
        return (static_cast<double>(sdk::input<T>(launch, 0)[at]) - found.mean) * found.inverse;
    }

    void store_parameters(const sluice_launch& launch) const {
        float* const gamma = affine_ ? sdk::parameter_gradient(launch, 0) : nullptr;
        float* const beta = affine_ ? sdk::parameter_gradient(launch, 1) : nullptr;
        if (gamma == nullptr && beta == nullptr) {
            return;
        }
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const bool add = launch.accumulate_parameters != 0;
        const std::int64_t features = p_.groups * p_.width;
        sdk::parallel_for(launch.threads, features, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t feature = begin; feature < end; ++feature) {
                double sum = 0.0;
                double product = 0.0;
                for (std::int64_t row = 0; row < p_.samples * p_.pixels; ++row) {
                    const std::int64_t at = row * features + feature;
                    const std::int64_t part = row / p_.pixels * p_.groups + feature / p_.width;
                    sum += static_cast<double>(dy[at]);
                    product += static_cast<double>(dy[at]) * normal_of(launch, part, at);
                }
                if (gamma != nullptr) {
                    put(gamma + feature, product, add);
                }
                if (beta != nullptr) {
                    put(beta + feature, sum, add);
                }
            }
        });
    }

    Parts p_;
    bool affine_;
    bool trains_;
    double epsilon_;
};

Parts channel_parts(const sluice_tensor_spec& x, std::int64_t groups) {
    const std::int64_t channels = x.shape[x.rank - 1];
    return {.samples = x.shape[0],
            .pixels = sdk::element_count(x) / (x.shape[0] * channels),
            .groups = groups,
            .width = channels / groups};
}

}  // namespace

KernelPtr make_group_norm(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<NormKernel>(node, sink, channel_parts(node.inputs()[0], node.options().integer("groups")));
}

KernelPtr make_instance_norm(const sdk::Node& node, const sdk::KernelSink& sink) {
    const sluice_tensor_spec& x = node.inputs()[0];
    return make_typed<NormKernel>(node, sink, channel_parts(x, x.shape[x.rank - 1]));
}

KernelPtr make_layer_norm(const sdk::Node& node, const sdk::KernelSink& sink) {
    const sluice_tensor_spec& x = node.inputs()[0];
    Parts parts{.samples = 1, .pixels = 1, .groups = 1, .width = 1};
    for (std::int32_t i = 0; i < x.rank; ++i) {
        (i < x.rank - node.options().integer("axes") ? parts.samples : parts.width) *= x.shape[i];
    }
    return make_typed<NormKernel>(node, sink, parts);
}

}  // namespace sluice::reference
