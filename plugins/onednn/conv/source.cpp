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
void store_gradient_as(const sluice_launch& launch, const ConvGeometry& geometry, float* from, bool accumulate) {
    auto* gradient = sdk::input_gradient<To>(launch, 0);
    if (geometry.mirrors()) {
        reflect_fold(launch.threads, geometry, from, gradient, accumulate);
        return;
    }
    for_elements(launch.threads, geometry.input_count(), [&](std::int64_t begin, std::int64_t count) {
        convert(gradient + begin, from + begin, count, accumulate);
    });
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
    if (geometry.input == DataType::f32) {
        store_gradient_as<float>(launch, geometry, source_gradient, accumulate);
    } else {
        store_gradient_as<Bfloat16>(launch, geometry, source_gradient, accumulate);
    }
}

}  // namespace sluice::onednn
