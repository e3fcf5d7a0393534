#include "data/cache/cache_space.hpp"

#include <algorithm>
#include <cerrno>

namespace sluice::data {

CacheSpace::CacheSpace(const std::filesystem::path& whole, const std::string& inputs, const std::string& purpose,
                       std::optional<std::uint64_t> budget)
    : folder_(whole, inputs, purpose, budget), given_(budget) {}

void CacheSpace::add_found(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    used_ += bytes;
}

void CacheSpace::open() {
    const std::lock_guard lock(mutex_);
    others_ = given_ ? folder_.make_room(*given_ - std::min(used_, *given_)) : folder_.others();
    budget_ = given_.value_or(used_ + others_ + std::filesystem::space(folder_.path()).available / 2);
}

std::uint64_t CacheSpace::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

std::uint64_t CacheSpace::others() const {
    const std::lock_guard lock(mutex_);
    return others_;
}

std::uint64_t CacheSpace::budget() const {
    const std::lock_guard lock(mutex_);
    return budget_;
}

bool CacheSpace::reserve(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t left = budget_ - std::min(used_, budget_);
    if (bytes <= left && others_ > left - bytes) {
        others_ = folder_.make_room(left - bytes);
    }
    if (bytes > left || others_ > left - bytes) {
        return false;
    }
    used_ += bytes;
    return true;
}

void CacheSpace::release(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
}

bool CacheSpace::write_or_free_disk(std::uint64_t bytes, const std::function<bool()>& write) {
    const auto is_full = [] { return errno == ENOSPC || errno == EDQUOT; };
    if (write()) {
        return true;
    }
    if (!is_full()) {
        return false;
    }
    const std::lock_guard lock(mutex_);  // one thread frees space; the others then find room without removing more
    while (!write()) {
        const int why = errno;
        if (!is_full() || !folder_.free_disk(bytes)) {
            errno = why;
            return false;
        }
        others_ = folder_.others();
    }
    return true;
}

}  // namespace sluice::data
