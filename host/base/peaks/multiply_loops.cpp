#include "base/peaks/multiply_loops.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Before version 16, clang has the intrinsics of float16 only if all of the code is compiled for such processors.
#if defined(__clang__) && __clang_major__ < 16
#define SLUICE_HAS_FLOAT16_LOOP 0
#else
#define SLUICE_HAS_FLOAT16_LOOP 1
#endif

namespace sluice {
namespace {

// An FMA unit needs its results only cycles later: 12 independent sums keep two units of 6 cycles busy, and fit into 16
// registers.
constexpr int kSums = 12;
constexpr double kFlops = 2.0;  // of a multiplication and an addition

// Keeps the compiler from knowing the numbers.
volatile float hidden_factor = 0.5F;
volatile float hidden_addend = 0.25F;

// 16 bytes are one vector of every 64-bit processor.
using Four [[gnu::vector_size(16)]] = float;

double run_plain(std::int64_t turns) {
    const float x = hidden_factor;
    const float y = hidden_addend;
    const Four factor{x, x, x, x};
    const Four addend{y, y, y, y};
    Four sums[kSums]{};
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (Four& sum : sums) {
            sum = sum * factor + addend;
        }
    }
    float total = 0.0F;
    for (const Four& sum : sums) {
        total += sum[0];
    }
    return total;
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] double run_avx2(std::int64_t turns) {
    const __m256 factor = _mm256_set1_ps(hidden_factor);
    const __m256 addend = _mm256_set1_ps(hidden_addend);
    __m256 sums[kSums];
    for (__m256& sum : sums) {
        sum = _mm256_setzero_ps();
    }
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (__m256& sum : sums) {
            sum = _mm256_fmadd_ps(sum, factor, addend);
        }
    }
    float total = 0.0F;
    for (const __m256& sum : sums) {
        total += _mm256_cvtss_f32(sum);
    }
    return total;
}

[[gnu::target("avx512f")]] double run_avx512(std::int64_t turns) {
    const __m512 factor = _mm512_set1_ps(hidden_factor);
    const __m512 addend = _mm512_set1_ps(hidden_addend);
    __m512 sums[kSums];
    for (__m512& sum : sums) {
        sum = _mm512_setzero_ps();
    }
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (__m512& sum : sums) {
            sum = _mm512_fmadd_ps(sum, factor, addend);
        }
    }
    float total = 0.0F;
    for (const __m512& sum : sums) {
        total += _mm512_cvtss_f32(sum);
    }
    return total;
}

[[gnu::target("avx512f,avx512bw,avx512bf16")]] double run_avx512_bf16(std::int64_t turns) {
    const __m512bh factor = _mm512_cvtne2ps_pbh(_mm512_set1_ps(hidden_factor), _mm512_set1_ps(hidden_factor));
    __m512 sums[kSums];
    for (__m512& sum : sums) {
        sum = _mm512_setzero_ps();
    }
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (__m512& sum : sums) {
            sum = _mm512_dpbf16_ps(sum, factor, factor);
        }
    }
    float total = 0.0F;
    for (const __m512& sum : sums) {
        total += _mm512_cvtss_f32(sum);
    }
    return total;
}

#if SLUICE_HAS_FLOAT16_LOOP
[[gnu::target("avx512fp16,avx512bw,avx512vl")]] double run_avx512_fp16(std::int64_t turns) {
    const __m512h factor = _mm512_castsi512_ph(_mm512_set1_epi16(0x3800));  // 0.5
    const __m512h addend = _mm512_castsi512_ph(_mm512_set1_epi16(static_cast<short>(0x3400 + (turns < 0))));
    __m512h sums[kSums];
    for (__m512h& sum : sums) {
        sum = _mm512_setzero_ph();
    }
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (__m512h& sum : sums) {
            sum = _mm512_fmadd_ph(sum, factor, addend);
        }
    }
    float total = 0.0F;
    for (const __m512h& sum : sums) {
        total += _mm512_cvtss_f32(_mm512_cvtph_ps(_mm512_castsi512_si256(_mm512_castph_si512(sum))));
    }
    return total;
}
#endif

// The layout that the instruction ldtilecfg reads.
struct TileSetting {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// A tile has 16 rows of 16 sums; an instruction adds 32 products to each.
constexpr double kTileFlops = kFlops * 16 * 16 * 32;
constexpr int kTileSums = 6;

[[gnu::target("amx-tile,amx-bf16")]] double run_amx(std::int64_t turns) {
    const TileSetting setting;
    std::uint16_t ones[16 * 32];
    for (std::uint16_t& one : ones) {
        one = 0x3f80;  // bfloat16
    }
    float sums[16 * 16];
    _tile_loadconfig(&setting);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_zero(4);
    _tile_zero(5);
    _tile_loadd(6, ones, 64);
    _tile_loadd(7, ones, 64);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        _tile_dpbf16ps(0, 6, 7);
        _tile_dpbf16ps(1, 6, 7);
        _tile_dpbf16ps(2, 6, 7);
        _tile_dpbf16ps(3, 6, 7);
        _tile_dpbf16ps(4, 6, 7);
        _tile_dpbf16ps(5, 6, 7);
    }
    _tile_stored(0, sums, 64);
    _tile_release();
    return sums[0];
}

struct Features {
    bool avx2 = false;
    bool avx512 = false;
    bool avx512_bf16 = false;
    bool avx512_fp16 = false;
    bool amx_bf16 = false;
    bool amx_fp16 = false;
};

// Linux gives a process the registers of tiles only if it asks for them.
bool may_use_tiles() {
    constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18;
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

Features read_features() {
    Features features;
    features.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    features.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) {
        return features;
    }
    features.avx512_fp16 = features.avx512 && (d >> 23 & 1) != 0;
    const bool has_tiles = (d >> 22 & 1) != 0 && (d >> 24 & 1) != 0 && may_use_tiles();
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) {
        features.avx512_bf16 = features.avx512 && (a >> 5 & 1) != 0;
        features.amx_fp16 = has_tiles && (a >> 21 & 1) != 0;
    }
    features.amx_bf16 = has_tiles;
    return features;
}

#endif

}  // namespace

// bfloat16 may be widened and float16 be computed in float32, so their peak is never below that of float32.
std::vector<MultiplyLoop> multiply_loops(sluice_dtype operands) {
#if defined(__x86_64__)
    static const Features features = read_features();
    std::vector<MultiplyLoop> loops;
    if (features.avx512) {
        loops.push_back({kFlops * kSums * 16, run_avx512});
    } else if (features.avx2) {
        loops.push_back({kFlops * kSums * 8, run_avx2});
    } else {
        loops.push_back({kFlops * kSums * 4, run_plain});
    }
    if (operands == kBfloat16 && features.avx512_bf16) {
        loops.push_back({kFlops * kSums * 32, run_avx512_bf16});
    }
#if SLUICE_HAS_FLOAT16_LOOP
    if (operands == kFloat16 && features.avx512_fp16) {
        loops.push_back({kFlops * kSums * 32, run_avx512_fp16});
    }
#endif
    // Tiles of float16 are multiplied at the rate of those of bfloat16.
    if ((operands == kBfloat16 && features.amx_bf16) || (operands == kFloat16 && features.amx_fp16)) {
        loops.push_back({kTileFlops * kTileSums, run_amx});
    }
    return loops;
#else
    (void)operands;
    return {{kFlops * kSums * 4, run_plain}};
#endif
}

}  // namespace sluice
