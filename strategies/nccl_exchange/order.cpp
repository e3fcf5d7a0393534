#include "nccl_exchange/order.hpp"

#include "in_step/in_step.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::nccl {

std::uint32_t Order::name(sluice_collective& collective) {
    const std::string_view name = sdk::view(collective.name);
    auto found = numbers_.find(name);
    if (found == numbers_.end()) {
        texts_.push_back(in_step::text_of(collective));
        found = numbers_.emplace(name, static_cast<std::uint32_t>(texts_.size())).first;
    }
    collective.name = sdk::text_of(found->first);
    return found->second;
}

std::string Order::add(sluice_collective collective) {
    const std::uint64_t place = started_[collective.replica]++;
    collective.replica += first_replica_;
    sluice_collective& first = kept_[place % kKept];
    if (place == most_) {
        ++most_;
        first = collective;
    }
    return place + kKept < most_ ? std::string() : in_step::why_out_of_step(first, collective);
}

}  // namespace sluice::nccl
