#include "plan/passes/arena_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "plan/passes/lifetimes.hpp"

namespace sluice::plan {
namespace {

// A name for each tensor: the field that feeds it, or the layer that computes it.
std::vector<std::string> name_tensors(const Graph& graph) {
    std::vector<std::string> names(graph.tensors.size());
    for (const Feed& feed : graph.feeds) {
        names[feed.tensor] = "field " + feed.field;
    }
    for (const Node& node : graph.nodes) {
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            names[node.outputs[i]] = i == 0 ? node.path : fmt::format("{} output {}", node.path, i);
        }
    }
    return names;
}

class ArenaList {
public:
    explicit ArenaList(const Plan& plan)
        : plan_(plan), names_(name_tensors(plan.graph)), last_(plan.launches.size() - 1) {}

    // `homes`: the tensor whose memory each one uses; empty: each uses its own.
    void add(const std::vector<Life>& lives, const std::vector<TensorId>& homes,
             const std::vector<std::uint64_t>& offsets, const char* prefix) {
        std::vector<std::size_t> places(lives.size(), kNever);
        const auto home_of = [&](TensorId id) { return homes.empty() ? id : homes[id]; };
        for (TensorId id = 0; id < lives.size(); ++id) {
            if (lives[id].exists() && home_of(id) == id) {
                places[id] = tensors_.size();
                add_memory(prefix + names_[id], byte_count(plan_.graph.tensors[id].spec), offsets[id], lives[id]);
            }
        }
        for (TensorId id = 0; id < lives.size(); ++id) {
            if (lives[id].exists() && home_of(id) != id) {
                profile::ArenaTensor& home = tensors_[places[home_of(id)]];
                home.first_operation = std::min(home.first_operation, launch(lives[id].first));
                home.last_operation = std::max(home.last_operation, launch(lives[id].last));
            }
        }
    }
    void add_memory(std::string name, std::uint64_t bytes, std::uint64_t offset, const Life& life) {
        if (offset != kNowhere && bytes > 0) {
            tensors_.push_back({std::move(name), bytes, offset, launch(life.first), launch(life.last)});
        }
    }
    [[nodiscard]] std::vector<profile::ArenaTensor> take() { return std::move(tensors_); }

private:
    // Tensors that are kept live one launch longer than the last.
    [[nodiscard]] std::uint32_t launch(std::size_t time) const {
        return static_cast<std::uint32_t>(std::min(time, last_));
    }

    const Plan& plan_;
    std::vector<std::string> names_;
    std::size_t last_;
    std::vector<profile::ArenaTensor> tensors_;
};

// Adds memory that a kernel asked for besides tensors.
void add_kernel_memory(const Plan& plan, ArenaList& list) {
    const std::vector<std::size_t> forward = times_of(plan, Direction::forward);
    const std::vector<std::size_t> recompute = times_of(plan, Direction::recompute);
    const std::vector<std::size_t> backward = times_of(plan, Direction::backward);
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
        const Step& step = plan.steps[s];
        const registry::KernelNeeds& needs = step.kernel.needs();
        const std::string& path = plan.graph.nodes[step.nodes.front()].path;
        const bool is_recomputed = recompute[s] != kNever;
        const std::size_t end = backward[s] == kNever ? forward[s] : backward[s];
        for (std::size_t i = 0; i < needs.saved.size(); ++i) {
            const std::string name = fmt::format("{} saved {}", path, i);
            list.add_memory(name, needs.saved[i], step.saved[i], {forward[s], is_recomputed ? forward[s] : end});
            if (is_recomputed) {
                list.add_memory(name, needs.saved[i], step.recomputed_saved[i], {recompute[s], end});
            }
        }
        for (const auto& [time, offset] :
             {std::pair(forward[s], step.forward_workspace), std::pair(recompute[s], step.recompute_workspace),
              std::pair(backward[s], step.backward_workspace)}) {
            if (time != kNever) {
                list.add_memory(path + " workspace", needs.workspace, offset, {time, time});
            }
        }
    }
}

}  // namespace

std::vector<profile::ArenaTensor> list_arena(const Plan& plan) {
    if (plan.launches.empty()) {
        return {};
    }
    ArenaList list(plan);
    const Lives lives = find_lives(plan);
    list.add(lives.tensors, plan.memory.tensor_storage, plan.memory.tensors, "");
    list.add(lives.recomputed, {}, plan.memory.recomputed_tensors, "recomputed ");
    list.add(lives.gradients, plan.memory.gradient_storage, plan.memory.gradients, "gradient of ");
    add_kernel_memory(plan, list);
    return list.take();
}

}  // namespace sluice::plan
