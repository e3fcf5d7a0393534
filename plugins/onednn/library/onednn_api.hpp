// Everything that differs between oneDNN 2 and oneDNN 3: how primitive descriptors are made. Version 2 goes through an
// operation descriptor, version 3 takes the same arguments at once. The rest of the plugin does not depend on the
// version.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

namespace sluice::onednn {

using Md = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using DataType = dnnl::memory::data_type;

// Bytes of an element.
inline std::int64_t size_of(DataType type) { return type == DataType::bf16 ? 2 : 4; }

// An empty bias means none. padding: [0] at the start (top, left), [1] at the end (bottom, right).
struct ConvDesc {
    Md source;
    Md weights;
    Md bias;
    Md destination;
    Dims strides;
    Dims gaps;  // elements skipped between two taps: dilation - 1
    Dims padding[2];
};

#if DNNL_VERSION_MAJOR >= 3

namespace detail {
template <class Primitive, class... Arguments>
auto describe(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Arguments&... arguments) {
    return typename Primitive::primitive_desc(engine, arguments..., attr);
}
template <class Primitive, class Hint, class... Arguments>
auto describe_backward(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Hint& hint,
                       const Arguments&... arguments) {
    return typename Primitive::primitive_desc(engine, arguments..., hint, attr);
}
}  // namespace detail

inline auto eltwise_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                 dnnl::algorithm algorithm, const Md& data) {
    return detail::describe<dnnl::eltwise_forward>(engine, attr, dnnl::prop_kind::forward_training, algorithm, data,
                                                   data, 0.0F, 0.0F);
}

inline void append_eltwise(dnnl::post_ops& operations, dnnl::algorithm algorithm, float alpha) {
    operations.append_eltwise(algorithm, alpha, 0.0F);
}

using SoftmaxForward = dnnl::softmax_forward;

inline auto softmax_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Md& data,
                                 int axis) {
    return detail::describe<SoftmaxForward>(engine, attr, dnnl::prop_kind::forward_training,
                                            dnnl::algorithm::softmax_accurate, data, data, axis);
}

#else

namespace detail {
template <class Primitive, class... Arguments>
auto describe(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Arguments&... arguments) {
    return typename Primitive::primitive_desc(typename Primitive::desc(arguments...), attr, engine);
}
template <class Primitive, class Hint, class... Arguments>
auto describe_backward(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Hint& hint,
                       const Arguments&... arguments) {
    return typename Primitive::primitive_desc(typename Primitive::desc(arguments...), attr, engine, hint);
}
}  // namespace detail

inline auto eltwise_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                 dnnl::algorithm algorithm, const Md& data) {
    return detail::describe<dnnl::eltwise_forward>(engine, attr, dnnl::prop_kind::forward_training, algorithm, data,
                                                   0.0F, 0.0F);
}

inline void append_eltwise(dnnl::post_ops& operations, dnnl::algorithm algorithm, float alpha) {
    operations.append_eltwise(1.0F, algorithm, alpha, 0.0F);
}

using SoftmaxForward = dnnl::softmax_v2_forward;

inline auto softmax_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Md& data,
                                 int axis) {
    return detail::describe<SoftmaxForward>(engine, attr, dnnl::prop_kind::forward_training,
                                            dnnl::algorithm::softmax_accurate, data, data, axis);
}

#endif

inline auto conv_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const ConvDesc& conv) {
    return detail::describe<dnnl::convolution_forward>(
        engine, attr, dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, conv.source, conv.weights,
        conv.bias, conv.destination, conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

inline auto conv_backward_data_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const ConvDesc& conv,
                                    const dnnl::convolution_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::convolution_backward_data>(
        engine, attr, hint, dnnl::algorithm::convolution_direct, conv.source, conv.weights, conv.destination,
        conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

inline auto conv_backward_weights_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                       const ConvDesc& conv, const dnnl::convolution_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::convolution_backward_weights>(
        engine, attr, hint, dnnl::algorithm::convolution_direct, conv.source, conv.weights, conv.bias, conv.destination,
        conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

// y = x W^T + b: source [M, I], weights [O, I], bias [O] or empty, destination [M, O].
struct ProductDesc {
    Md source;
    Md weights;
    Md bias;
    Md destination;
};

inline auto product_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                 const ProductDesc& product) {
    return detail::describe<dnnl::inner_product_forward>(engine, attr, dnnl::prop_kind::forward_training,
                                                         product.source, product.weights, product.bias,
                                                         product.destination);
}

inline auto product_backward_data_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                       const ProductDesc& product,
                                       const dnnl::inner_product_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::inner_product_backward_data>(engine, attr, hint, product.source,
                                                                        product.weights, product.destination);
}

inline auto product_backward_weights_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                          const ProductDesc& product,
                                          const dnnl::inner_product_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::inner_product_backward_weights>(
        engine, attr, hint, product.source, product.weights, product.bias, product.destination);
}

// For a transposed convolution: source is the input of that layer, weights are [O, I, kh, kw].
inline auto transpose_forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const ConvDesc& conv) {
    return detail::describe<dnnl::deconvolution_forward>(
        engine, attr, dnnl::prop_kind::forward_training, dnnl::algorithm::deconvolution_direct, conv.source,
        conv.weights, conv.bias, conv.destination, conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

inline auto transpose_backward_data_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                         const ConvDesc& conv,
                                         const dnnl::deconvolution_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::deconvolution_backward_data>(
        engine, attr, hint, dnnl::algorithm::deconvolution_direct, conv.source, conv.weights, conv.destination,
        conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

inline auto transpose_backward_weights_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                            const ConvDesc& conv,
                                            const dnnl::deconvolution_forward::primitive_desc& hint) {
    return detail::describe_backward<dnnl::deconvolution_backward_weights>(
        engine, attr, hint, dnnl::algorithm::deconvolution_direct, conv.source, conv.weights, conv.bias,
        conv.destination, conv.strides, conv.gaps, conv.padding[0], conv.padding[1]);
}

}  // namespace sluice::onednn
