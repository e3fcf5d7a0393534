#include "run/collective/shard_accumulator.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace sluice::run {
namespace {

// Sums all items into items[0]; the others are overwritten.
template <class T>
void add_tree(std::span<std::vector<T>* const> items) {
    if (items.size() == 1) {
        return;
    }
    const std::size_t left = std::bit_floor(items.size() - 1);
    add_tree(items.first(left));
    add_tree(items.subspan(left));
    std::ranges::transform(*items[0], *items[left], items[0]->begin(), std::plus<>{});
}

}  // namespace

ShardAccumulator::ShardAccumulator(const Weights& weights, sluice_step_report* report, std::uint64_t count)
    : weights_(weights), report_(report), begin_(weights.running_count()) {
    shards_.resize(count, {.gradients = std::vector<float>(weights.count()),
                           .running = std::vector<float>(weights.running_count()),
                           .losses = std::vector<double>(2)});
}

void ShardAccumulator::bring(std::uint64_t number, bool is_first) {
    if (is_first) {
        if (number == 0) {
            std::copy_n(weights_.running(), begin_.size(), begin_.begin());
        }
        std::ranges::copy(begin_, weights_.running());
        return;
    }
    const Shard& shard = shards_[number];
    std::ranges::copy(shard.gradients, weights_.gradients());
    std::ranges::copy(shard.running, weights_.running());
    report_->loss_sum = shard.losses[0];
    report_->loss_weight = shard.losses[1];
}

void ShardAccumulator::keep(std::uint64_t number) {
    Shard& shard = shards_[number];
    std::copy_n(weights_.gradients(), shard.gradients.size(), shard.gradients.begin());
    std::copy_n(weights_.running(), shard.running.size(), shard.running.begin());
    shard.losses = {report_->loss_sum, report_->loss_weight};
}

void ShardAccumulator::add_up() {
    const auto sum_of = [&](auto member) -> auto& {
        std::vector<std::remove_reference_t<decltype(shards_[0].*member)>*> items;
        for (Shard& shard : shards_) {
            items.push_back(&(shard.*member));
        }
        add_tree(std::span(std::as_const(items)));
        return *items[0];
    };
    std::ranges::copy(sum_of(&Shard::gradients), weights_.gradients());
    const float share = 1.0F / static_cast<float>(shards_.size());
    std::ranges::transform(sum_of(&Shard::running), weights_.running(), [&](float value) { return value * share; });
    const std::vector<double>& losses = sum_of(&Shard::losses);
    report_->loss_sum = losses[0];
    report_->loss_weight = losses[1];
}

}  // namespace sluice::run
