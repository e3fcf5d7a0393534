// scale, flatten, cast, image_to_tensor, tensor_to_image, and add of more than two tensors. They compute each element
// on its own.
#include "cuda/elementwise.cuh"

#include <cmath>
#include <vector>

#include "cuda/divide.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

struct Identity {
    __device__ float operator()(float x) const { return x; }
};

struct Times {
    float factor;
    __device__ float operator()(float x) const { return factor * x; }
};

// The formula gives low and high exactly.
struct FromImage {
    float low;
    float high;
    __device__ float operator()(float x) const {
        const float part = x / 255.0F;
        return low * (1.0F - part) + high * part;
    }
};

struct ToImage {
    float low;
    float high;
    __device__ float operator()(float x) const {
        const float part = (x - low) / (high - low);
        return part < 0.0F ? 0.0F : part > 1.0F ? 1.0F : part;
    }
};

template <class T>
class Scale : public NodeKernel {
public:
    explicit Scale(const sdk::Node& node)
        : NodeKernel(node),
          n_(sdk::element_count(node.inputs()[0])),
          times_{static_cast<float>(node.options().number("factor"))} {}

    void forward(const sluice_launch& launch) override {
        map(launch.stream, sdk::output<T>(launch, 0), n_, false, times_, sdk::input<T>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            map(launch.stream, to, n_, adds_gradient(0), times_, sdk::output_gradient<T>(launch, 0));
        }
    }

private:
    std::int64_t n_;
    Times times_;
};

// Does nothing if input and output share memory.
template <class T>
class Flatten : public NodeKernel {
public:
    explicit Flatten(const sdk::Node& node) : NodeKernel(node), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        if (x != y) {
            map(launch.stream, y, n_, false, Identity{}, x);
        }
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx != nullptr && dx != dy) {
            map(launch.stream, dx, n_, adds_gradient(0), Identity{}, dy);
        }
    }

private:
    std::int64_t n_;
};

template <class From, class To>
class Cast : public NodeKernel {
public:
    explicit Cast(const sdk::Node& node) : NodeKernel(node), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        map(launch.stream, sdk::output<To>(launch, 0), n_, false, Identity{}, sdk::input<From>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        if (From* const to = sdk::input_gradient<From>(launch, 0)) {
            map(launch.stream, to, n_, adds_gradient(0), Identity{}, sdk::output_gradient<To>(launch, 0));
        }
    }

private:
    std::int64_t n_;
};

template <class From, class To, class Function>
class Image : public ForwardKernel {
public:
    Image(const sdk::Node& node, const Function& function)
        : n_(sdk::element_count(node.inputs()[0])), function_(function) {}

    void forward(const sluice_launch& launch) override {
        map(launch.stream, sdk::output<To>(launch, 0), n_, false, function_, sdk::input<From>(launch, 0));
    }

private:
    std::int64_t n_;
    Function function_;
};

// An offset and a factor for each channel.
struct ChannelTable {
    static constexpr std::size_t kMost = 16;
    float offset[kMost];
    float factor[kMost];
    Divider channels;
};

template <class From, class To>
__global__ void normalise_kernel(To* to, const From* from, std::uint32_t n, ChannelTable table) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < n; i += index_stride()) {
        std::uint32_t row = i;
        const std::uint32_t c = table.channels.split(row);
        to[i] = from_float<To>(std::fma(to_float(from[i]), table.factor[c], table.offset[c]));
    }
}

template <class From, class To>
class NormalisedImage : public ForwardKernel {
public:
    explicit NormalisedImage(const sdk::Node& node)
        : n_(static_cast<std::uint32_t>(sdk::element_count(node.inputs()[0]))) {
        const double low = node.options().number("low");
        const double high = node.options().number("high");
        const std::vector<double> mean = node.options().numbers("mean");
        const std::vector<double> deviation = node.options().numbers("std");
        for (std::size_t c = 0; c < mean.size(); ++c) {
            table_.offset[c] = static_cast<float>((low - mean[c]) / deviation[c]);
            table_.factor[c] = static_cast<float>((high - low) / 255.0 / deviation[c]);
        }
        table_.channels = Divider(static_cast<std::int64_t>(mean.size()));
    }

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(n_), kThreads, normalise_kernel<From, To>, sdk::output<To>(launch, 0),
                      sdk::input<From>(launch, 0), n_, table_);
    }

private:
    std::uint32_t n_;
    ChannelTable table_{};
};

// The last node of the chain gives the stored type, because a cast may follow.
// Calls make(From{}, To{}) with the types of pixels and result.
template <class Make>
KernelPtr with_image_types(const PlanContext& context, const Make& make) {
    const sluice_dtype from = context.node().inputs()[0].dtype;
    const sluice_dtype to = context.chain[context.chain.size() - 1].outputs()[0].dtype;
    return with_float_type(to, [&](auto made) -> KernelPtr {
        if (sdk::same(from, sdk::kUint8)) {
            return make(std::uint8_t{}, made);
        }
        return with_float_type(from, [&](auto read) -> KernelPtr { return make(read, made); });
    });
}

template <class Function>
KernelPtr make_image(const PlanContext& context) {
    const sdk::Node node = context.node();
    const Function function{static_cast<float>(node.options().number("low")),
                            static_cast<float>(node.options().number("high"))};
    return with_image_types(context, [&](auto read, auto made) -> KernelPtr {
        return std::make_unique<Image<decltype(read), decltype(made), Function>>(node, function);
    });
}

KernelPtr make_normalised_image(const PlanContext& context) {
    return with_image_types(context, [&](auto read, auto made) -> KernelPtr {
        return std::make_unique<NormalisedImage<decltype(read), decltype(made)>>(context.node());
    });
}

constexpr std::size_t kMostTerms = 64;  // as many inputs as a node can have

template <class T>
struct Terms {
    const T* from[kMostTerms];
    unsigned count;
};

template <class T>
__global__ void sum_kernel(T* to, std::int64_t n, Terms<T> terms) {
    constexpr int kSize = Pack<T>::kSize;
    const std::int64_t packs = n / kSize;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        float sums[kSize] = {};
        for (unsigned t = 0; t < terms.count; ++t) {
            const Pack<T> in = load_pack(terms.from[t] + p * kSize);
            for (int k = 0; k < kSize; ++k) {
                sums[k] += to_float(in.values[k]);
            }
        }
        Pack<T> out;
        for (int k = 0; k < kSize; ++k) {
            out.values[k] = from_float<T>(sums[k]);
        }
        store_pack(to + p * kSize, out);
    }
    for (std::int64_t i = packs * kSize + first_index(); i < n; i += index_stride()) {
        float sum = 0.0F;
        for (unsigned t = 0; t < terms.count; ++t) {
            sum += to_float(terms.from[t][i]);
        }
        to[i] = from_float<T>(sum);
    }
}

template <class T>
class Sum : public NodeKernel {
public:
    explicit Sum(const sdk::Node& node)
        : NodeKernel(node), n_(sdk::element_count(node.outputs()[0])), inputs_(node.inputs().size()) {}

    void forward(const sluice_launch& launch) override {
        Terms<T> terms{};
        terms.count = static_cast<unsigned>(inputs_);
        for (std::size_t i = 0; i < inputs_; ++i) {
            terms.from[i] = sdk::input<T>(launch, i);
        }
        cudnn::launch(launch.stream, blocks_for(n_ / Pack<T>::kSize), kThreads, sum_kernel<T>,
                      sdk::output<T>(launch, 0), n_, terms);
    }

    void backward(const sluice_launch& launch) override {
        for (std::size_t i = 0; i < inputs_; ++i) {
            if (T* const to = sdk::input_gradient<T>(launch, i)) {
                map(launch.stream, to, n_, adds_gradient(i), Identity{}, sdk::output_gradient<T>(launch, 0));
            }
        }
    }

private:
    std::int64_t n_;
    std::size_t inputs_;
};

}  // namespace

// An add of two tensors is the shortest mask chain: one pass writes both gradients.
KernelPtr make_add(const PlanContext& context) {
    if (context.node().inputs().size() == 2) {
        return make_mask_chain(context);
    }
    for (std::uint32_t i = 0; i < context.node().inputs().size(); ++i) {
        context.sink.may_overwrite(i, 0);
    }
    context.sink.note("own pass");
    return make_typed<Sum>(context.node());
}

KernelPtr make_cast(const PlanContext& context) {
    const sdk::Node node = context.node();
    context.sink.note("own pass");
    return with_float_type(node.inputs()[0].dtype, [&](auto read) {
        return with_float_type(node.outputs()[0].dtype, [&](auto made) -> KernelPtr {
            return std::make_unique<Cast<decltype(read), decltype(made)>>(node);
        });
    });
}

KernelPtr make_flatten(const PlanContext& context) {
    context.sink.may_overwrite(0, 0);
    if (!context.node().accumulates_gradient(0)) {
        context.sink.may_overwrite_gradient(0, 0);
    }
    context.sink.note("own copy, or none");
    return make_typed<Flatten>(context.node());
}

// The table of channels is an argument of the kernel.
std::optional<std::string> refuses_image(const sdk::Node& node, std::int64_t /*most_elements*/) {
    if (node.options().has("mean") && node.options().numbers("mean").size() > ChannelTable::kMost) {
        return "normalises at most " + std::to_string(ChannelTable::kMost) + " channels";
    }
    return std::nullopt;
}

KernelPtr make_image_to_tensor(const PlanContext& context) {
    context.sink.note("own pass");
    return context.node().options().has("mean") ? make_normalised_image(context) : make_image<FromImage>(context);
}

KernelPtr make_scale(const PlanContext& context) {
    context.sink.may_overwrite(0, 0);
    context.sink.may_overwrite_gradient(0, 0);
    context.sink.note("own pass");
    return make_typed<Scale>(context.node());
}

KernelPtr make_tensor_to_image(const PlanContext& context) {
    context.sink.note("own pass");
    return make_image<ToImage>(context);
}

}  // namespace sluice::cudnn
