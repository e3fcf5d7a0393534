#include <cuda_bf16.h>

#include <algorithm>

#include "in_step/in_step.hpp"
#include "nccl_exchange/narrow_sum.hpp"
#include "nccl_exchange/status.hpp"

namespace sluice::nccl {
namespace {

constexpr std::uint64_t kRoom = std::uint64_t{4} << 20;  // elements of a piece; buckets are usually smaller
constexpr std::uint64_t kUnit = 64;  // elements: slices are sent in multiples of it, for aligned access
constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 1024;  // kernels stride over what is left
constexpr unsigned kLevels = 16;        // levels of the tree: for 2^16 ranks, more than a grid has rows

// Adjacent elements that one thread handles.
constexpr std::uint64_t kPack = 4;
struct alignas(kPack * sizeof(float)) Wide {
    float values[kPack];
};
struct alignas(kPack * sizeof(__nv_bfloat16)) Narrow {
    __nv_bfloat16 values[kPack];
};

// The same part of each slice of a float32 range. It is sent in whole units.
struct Piece {
    std::uint64_t count;  // elements of the range
    std::uint64_t slice;  // elements of a slice; the last slices may reach beyond the range
    std::uint64_t first;  // first element of the part, in each slice
    std::uint64_t last;
    std::uint64_t packs;
    bool is_aligned;
};

__device__ Wide widened(const Narrow& pack) {
    Wide wide;
    for (std::uint64_t k = 0; k < kPack; ++k) {
        wide.values[k] = __bfloat162float(pack.values[k]);
    }
    return wide;
}

__device__ Narrow narrowed(const Wide& pack) {
    Narrow narrow;
    for (std::uint64_t k = 0; k < kPack; ++k) {
        narrow.values[k] = __float2bfloat16_rn(pack.values[k]);
    }
    return narrow;
}

__device__ Wide sum(const Wide& a, const Wide& b) {
    Wide sum;
    for (std::uint64_t k = 0; k < kPack; ++k) {
        sum.values[k] = a.values[k] + b.values[k];
    }
    return sum;
}

// Returns where a pack of a slice begins in the range.
__device__ std::uint64_t begin_of(const Piece& piece, std::uint64_t slice, std::uint64_t pack) {
    return slice * piece.slice + piece.first + pack * kPack;
}
// Returns up to where the slice may be touched.
__device__ std::uint64_t end_of(const Piece& piece, std::uint64_t slice) {
    const std::uint64_t end = slice * piece.slice + piece.last;
    return end < piece.count ? end : piece.count;
}

__device__ Wide load(const Piece& piece, const float* values, std::uint64_t slice, std::uint64_t pack) {
    const std::uint64_t begin = begin_of(piece, slice, pack);
    const std::uint64_t end = end_of(piece, slice);
    if (piece.is_aligned && begin + kPack <= end) {
        return *reinterpret_cast<const Wide*>(values + begin);
    }
    Wide wide{};
    for (std::uint64_t k = 0; k < kPack && begin + k < end; ++k) {
        wide.values[k] = values[begin + k];
    }
    return wide;
}

__device__ void store(const Piece& piece, float* values, std::uint64_t slice, std::uint64_t pack, const Wide& wide) {
    const std::uint64_t begin = begin_of(piece, slice, pack);
    const std::uint64_t end = end_of(piece, slice);
    if (piece.is_aligned && begin + kPack <= end) {
        *reinterpret_cast<Wide*>(values + begin) = wide;
        return;
    }
    for (std::uint64_t k = 0; k < kPack && begin + k < end; ++k) {
        values[begin + k] = wide.values[k];
    }
}

__device__ std::uint64_t first_pack() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::uint64_t stride() { return std::uint64_t{gridDim.x} * blockDim.x; }

// The grid has a row of blocks for each slice.
__global__ void narrow_kernel(Piece piece, const float* values, Narrow* out) {
    for (std::uint64_t p = first_pack(); p < piece.packs; p += stride()) {
        out[blockIdx.y * piece.packs + p] = narrowed(load(piece, values, blockIdx.y, p));
    }
}

__global__ void widen_kernel(Piece piece, const Narrow* all, float* values) {
    for (std::uint64_t p = first_pack(); p < piece.packs; p += stride()) {
        store(piece, values, blockIdx.y, p, widened(all[blockIdx.y * piece.packs + p]));
    }
}

// The sum over all ranks for a pack of this rank, whose own numbers are in `out`. `waiting[level]` holds a sum of
// 2^level ranks until the sum to the right of it in the tree is complete. At the end the sums that are left are added
// from the right.
__device__ Wide sum_of_all(const Piece& piece, unsigned rank, unsigned world, const Narrow* out, const Narrow* in,
                           std::uint64_t pack) {
    Wide waiting[kLevels];
    for (unsigned from = 0; from < world; ++from) {
        Wide found = widened((from == rank ? out : in)[from * piece.packs + pack]);
#pragma unroll
        for (unsigned level = 0; level < kLevels; ++level) {
            if ((from >> level & 1U) == 0) {
                waiting[level] = found;
                break;
            }
            found = sum(waiting[level], found);
        }
    }
    Wide all{};
    bool is_first = true;
#pragma unroll
    for (unsigned level = 0; level < kLevels; ++level) {
        if ((world >> level & 1U) != 0) {
            all = is_first ? waiting[level] : sum(waiting[level], all);
            is_first = false;
        }
    }
    return all;
}

__global__ void add_kernel(Piece piece, unsigned rank, unsigned world, const Narrow* out, const Narrow* in,
                           float* values) {
    for (std::uint64_t p = first_pack(); p < piece.packs; p += stride()) {
        store(piece, values, rank, p, sum_of_all(piece, rank, world, out, in, p));
    }
}

// The sums replace the rank's own numbers in `out`.
__global__ void add_narrow_kernel(Piece piece, unsigned rank, unsigned world, Narrow* out, const Narrow* in) {
    for (std::uint64_t p = first_pack(); p < piece.packs; p += stride()) {
        out[rank * piece.packs + p] = narrowed(sum_of_all(piece, rank, world, out, in, p));
    }
}

template <class... Parameters>
void load_code(void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "loading a kernel");
}

template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, std::uint64_t packs, unsigned rows, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
    const auto most = std::max<std::uint64_t>(kMostBlocks / rows, 1);
    cudaLaunchConfig_t config{};
    config.gridDim = {static_cast<unsigned>(std::min((packs + kThreads - 1) / kThreads, most)), rows};
    config.blockDim = kThreads;
    config.stream = stream;
    check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), "launching a kernel");
}

std::uint64_t whole_units(std::uint64_t elements) { return (elements + kUnit - 1) / kUnit * kUnit; }

std::uint64_t slice_of(const sluice_collective& collective, std::uint32_t world) {
    return in_step::is_cut(collective) ? collective.count / world : whole_units((collective.count + world - 1) / world);
}

}  // namespace

NarrowSum::Block NarrowSum::make_block() {
    std::uint16_t* block = nullptr;
    check(cudaMalloc(&block, kRoom * sizeof(*block)), "taking GPU memory");
    return Block(block);
}

NarrowSum::NarrowSum() {
    load_code(narrow_kernel);
    load_code(add_kernel);
    load_code(add_narrow_kernel);
    load_code(widen_kernel);
}

bool NarrowSum::takes(const sluice_collective& collective) {
    return in_step::is_narrow(collective) &&
           (collective.kind == SLUICE_COLLECTIVE_SUM || collective.kind == SLUICE_COLLECTIVE_REDUCE_SCATTER);
}

void NarrowSum::start(const sluice_collective& collective, Communicator& communicator, cudaStream_t stream) const {
    const std::uint32_t rank = communicator.rank();
    const std::uint32_t world = communicator.world();
    const std::uint64_t slice = slice_of(collective, world);
    const std::uint64_t most = kRoom / world / kUnit * kUnit;
    auto* const values = static_cast<float*>(collective.data);
    auto* const out = reinterpret_cast<Narrow*>(out_.get());
    const auto* const in = reinterpret_cast<const Narrow*>(in_.get());
    for (std::uint64_t first = 0; first < slice; first += most) {
        const std::uint64_t last = std::min(first + most, slice);
        const std::uint64_t sent_elements = whole_units(last - first);
        const std::uint64_t packs = sent_elements / kPack;
        const bool is_aligned = reinterpret_cast<std::uintptr_t>(values) % sizeof(Wide) == 0 && slice % kPack == 0;
        const Piece piece{collective.count, slice, first, last, packs, is_aligned};
        launch(stream, packs, world, narrow_kernel, piece, values, out);
        communicator.all_to_all(out_.get(), in_.get(), sent_elements, stream);
        if (in_step::is_cut(collective)) {
            launch(stream, packs, 1, add_kernel, piece, rank, world, out, in, values);
        } else {
            launch(stream, packs, 1, add_narrow_kernel, piece, rank, world, out, in);
            communicator.gather(out_.get(), sent_elements, stream);
            launch(stream, packs, world, widen_kernel, piece, out, values);
        }
    }
}

}  // namespace sluice::nccl
