// One spatial axis of a pooling window: which input positions an output position reads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::onednn {

struct PoolAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t before = 0;  // padding at the start

    // Returns the input position of tap 0; it may lie in the padding.
    [[nodiscard]] std::int64_t origin(std::int64_t output) const { return output * stride - before; }
    // Taps [first, last) lie inside the input.
    [[nodiscard]] std::int64_t first(std::int64_t output) const { return std::max<std::int64_t>(-origin(output), 0); }
    [[nodiscard]] std::int64_t last(std::int64_t output) const { return std::min(in - origin(output), kernel); }

    // Outputs [begin_readers, end_readers) read this input position.
    [[nodiscard]] std::int64_t begin_readers(std::int64_t input) const {
        const std::int64_t reach = input + before - kernel;  // windows that start here or earlier do not read `input`
        return reach < 0 ? 0 : reach / stride + 1;
    }
    [[nodiscard]] std::int64_t end_readers(std::int64_t input) const {
        return std::min((input + before) / stride + 1, out);
    }
};

}  // namespace sluice::onednn
