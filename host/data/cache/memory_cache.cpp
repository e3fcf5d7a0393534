#include "data/cache/memory_cache.hpp"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/byte_size.hpp"

namespace sluice::data {
namespace {

// Estimated bytes that an entry costs besides its data: map node, vectors, allocator bookkeeping.
constexpr std::uint64_t kEntryOverhead = 256;

}  // namespace

MemoryCache::MemoryCache(std::optional<std::uint64_t> budget, std::string purpose)
    : budget_(budget.value_or(available_memory() / 4)), purpose_(std::move(purpose)) {}

bool MemoryCache::find(std::uint64_t index, CachedSample& sample) {
    const std::shared_lock lock(mutex_);
    const auto found = samples_.find(index);
    if (found == samples_.end()) {
        return false;
    }
    sample.name = found->second->name;
    sample.fields.assign(found->second->fields.begin(), found->second->fields.end());
    return true;
}

void MemoryCache::keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    std::uint64_t bytes = kEntryOverhead + name.size();
    for (const TensorView& field : fields) {
        bytes += sizeof(HostTensor) + field.bytes.size();
    }
    if (!reserve(bytes)) {
        return;
    }
    auto sample = std::make_unique<Kept>();
    sample->name = name;
    sample->fields.reserve(fields.size());
    for (const TensorView& field : fields) {
        sample->fields.push_back({field.spec, {field.bytes.begin(), field.bytes.end()}});
    }
    const std::unique_lock lock(mutex_);
    if (!samples_.try_emplace(index, std::move(sample)).second) {
        used_ -= bytes;
    }
}

bool MemoryCache::reserve(std::uint64_t bytes) {
    std::uint64_t used = used_;
    do {
        if (bytes > budget_ - used) {
            if (!full_.exchange(true)) {
                log::info(
                    fmt::format("{}: the memory cache is full ({}); samples that did not fit are made again in "
                                "every epoch; raise the cache's 'budget' to keep more",
                                purpose_, format_size(budget_)));
            }
            return false;
        }
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
}

}  // namespace sluice::data
