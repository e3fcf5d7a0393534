#include "conv/source.hpp"

#include "conv/reflect.hpp"
#include "math/conversions.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

template <class From, class To>
void copy_source(const sluice_launch& launch, const ConvGeometry& geometry, To* memory) {
    const auto* input = sdk::input<From>(launch, 0);
    if (geometry.mirrors()) {
        reflect_pad(launch.threads, geometry, input, memory);
        return;
    }
    for_elements(launch.threads, geometry.input_count(),
                 [&](std::int64_t begin, std::int64_t count) { convert(memory + begin, input + begin, count, false); });
}

template <class To>
void convert_all(const sluice_threads* threads, const float* from, To* to, std::int64_t count, bool add) {
    for_elements(threads, count,
                 [&](std::int64_t begin, std::int64_t length) { convert(to + begin, from + begin, length, add); });
}

}  // namespace

const void* source_of(const sluice_launch& launch, const ConvGeometry& geometry, float* memory) {
    if (!geometry.copies_source()) {
        return launch.inputs[0];
    }
    if (geometry.input == DataType::f32) {
        copy_source<float>(launch, geometry, memory);
    } else if (geometry.computed == DataType::f32) {
        copy_source<Bfloat16>(launch, geometry, memory);
    } else {
        copy_source<Bfloat16>(launch, geometry, reinterpret_cast<Bfloat16*>(memory));
    }
    return memory;
}

void store_input_gradient(const sluice_launch& launch, const ConvGeometry& geometry, float* source_gradient,
                          bool accumulate) {
    void* gradient = launch.input_gradients[0];
    if (!geometry.mirrors()) {
        store_gradient_as(launch.threads, geometry.input, source_gradient, gradient, geometry.input_count(),
                          accumulate);
    } else if (geometry.input == DataType::bf16) {
        reflect_fold(launch.threads, geometry, source_gradient, static_cast<Bfloat16*>(gradient), accumulate);
    } else {
        reflect_fold(launch.threads, geometry, source_gradient, static_cast<float*>(gradient), accumulate);
    }
}

void store_gradient_as(const sluice_threads* threads, DataType type, const float* from, void* gradient,
                       std::int64_t count, bool accumulate) {
    if (type == DataType::bf16) {
        convert_all(threads, from, static_cast<Bfloat16*>(gradient), count, accumulate);
    } else {
        convert_all(threads, from, static_cast<float*>(gradient), count, accumulate);
    }
}

}  // namespace sluice::onednn
