#include "math/random_words.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/random_words.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

void words(const sluice_random_key& key, std::uint64_t first, std::int64_t count, std::uint32_t* to) {
    for (std::int64_t i = 0; i < count; i += 4) {
        sluice_philox(&key, first / 4 + static_cast<std::uint64_t>(i / 4), to + i);
    }
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using PairTag = hn::ScalableTag<std::uint64_t>;
using WordTag = hn::Repartition<std::uint32_t, PairTag>;
using Pairs = hn::Vec<PairTag>;

// Returns the product of the low 32 bits of each element.
Pairs multiply(Pairs a, Pairs b) { return hn::MulEven(hn::BitCast(WordTag(), a), hn::BitCast(WordTag(), b)); }

// Philox counters, one block for each element. Only the low 32 bits of an element are valid.
struct Counters {
    Pairs c0, c1, c2, c3;
};

void rounds(Counters& c, std::uint32_t k0, std::uint32_t k1) {
    const PairTag d;
    const Pairs m0 = hn::Set(d, 0xD2511F53U);
    const Pairs m1 = hn::Set(d, 0xCD9E8D57U);
    for (int round = 0; round < 10; ++round) {
        const Pairs p0 = multiply(c.c0, m0);
        const Pairs p1 = multiply(c.c2, m1);
        c.c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c.c1), hn::Set(d, k0));
        c.c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c.c3), hn::Set(d, k1));
        c.c1 = p1;
        c.c3 = p0;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
}

// Puts two words of a block into each element.
Pairs join(Pairs low, Pairs high) {
    return hn::Or(hn::And(low, hn::Set(PairTag(), 0xFFFFFFFFU)), hn::ShiftLeft<32>(high));
}

void words(const sluice_random_key& key, std::uint64_t first, std::int64_t count, std::uint32_t* to) {
    const PairTag d;
    const WordTag dw;
    const auto blocks = static_cast<std::int64_t>(hn::Lanes(d));
    // Interleaving stores the blocks of the even elements first, then those of the odd ones, so the blocks are numbered
    // in this order.
    HWY_ALIGN std::uint64_t order[HWY_MAX_BYTES / sizeof(std::uint64_t)];
    for (std::int64_t i = 0; i < blocks; ++i) {
        order[i] = static_cast<std::uint64_t>(blocks == 1 ? 0 : i / 2 + i % 2 * (blocks / 2));
    }
    const std::uint64_t mixed = key.seed ^ (key.stream * UINT64_C(0x9E3779B97F4A7C15));
    for (std::int64_t i = 0; i < count; i += 4 * blocks) {
        const std::uint64_t base = first / 4 + static_cast<std::uint64_t>(i / 4);
        const Pairs block = hn::Add(hn::Load(d, order), hn::Set(d, base));
        Counters c{block, hn::ShiftRight<32>(block), hn::Set(d, key.counter), hn::Set(d, key.counter >> 32U)};
        rounds(c, static_cast<std::uint32_t>(mixed), static_cast<std::uint32_t>(mixed >> 32U));
        const Pairs front = join(c.c0, c.c1);
        const Pairs back = join(c.c2, c.c3);
        hn::StoreU(hn::BitCast(dw, hn::InterleaveLower(d, front, back)), dw, to + i);
        hn::StoreU(hn::BitCast(dw, hn::InterleaveUpper(d, front, back)), dw, to + i + 2 * blocks);
    }
}

#endif

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(words);

void random_words(const sluice_random_key& key, std::uint64_t first, std::int64_t count, std::uint32_t* words) {
    HWY_DYNAMIC_DISPATCH(words)(key, first, count, words);
}

}  // namespace sluice::onednn
#endif
