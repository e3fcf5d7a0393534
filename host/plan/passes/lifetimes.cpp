#include "plan/passes/lifetimes.hpp"

#include <algorithm>

namespace sluice::plan {
namespace {

void use_in_launch(const Plan& plan, std::size_t time, const std::vector<bool>& are_recomputed, Lives& lives) {
    const Direction direction = plan.launches[time].direction;
    const Step& step = plan.steps[plan.launches[time].step];
    const registry::KernelNeeds& needs = step.kernel.needs();
    const auto read = [&](TensorId id) {
        const bool is_later = direction != Direction::forward && are_recomputed[id];
        (is_later ? lives.recomputed : lives.tensors)[id].use(time);
    };
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (direction != Direction::backward || (needs.reads_inputs >> i & 1) != 0) {
            read(step.inputs[i]);
        }
        if (direction == Direction::backward && step.input_gradients[i]) {
            lives.gradients[step.inputs[i]].use(time);
        }
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        if (direction != Direction::backward || (needs.reads_outputs >> i & 1) != 0) {
            read(step.outputs[i]);
        }
        Life& gradient = lives.gradients[step.outputs[i]];
        if (direction == Direction::backward && gradient.exists()) {
            gradient.use(time);
        }
    }
}

class Lister {
public:
    explicit Lister(Plan& plan) : plan_(plan) {}

    std::vector<Buffer> list() {
        make_room();
        const Lives lives = find_lives(plan_);
        Memory& memory = plan_.memory;
        add_tensors(lives.tensors, memory.tensor_storage, memory.tensors);
        add_tensors(lives.recomputed, {}, memory.recomputed_tensors);
        add_tensors(lives.gradients, memory.gradient_storage, memory.gradients);
        const auto forward = times_of(plan_, Direction::forward);
        const auto recompute = times_of(plan_, Direction::recompute);
        const auto backward = times_of(plan_, Direction::backward);
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            add_step(plan_.steps[s], forward[s], recompute[s], backward[s]);
        }
        return std::move(buffers_);
    }

private:
    void make_room() {
        Memory& memory = plan_.memory;
        for (auto* offsets : {&memory.tensors, &memory.recomputed_tensors, &memory.gradients}) {
            offsets->resize(plan_.graph.tensors.size(), kNowhere);
        }
        for (Step& step : plan_.steps) {
            step.saved.resize(step.kernel.needs().saved.size(), kNowhere);
            step.recomputed_saved.resize(step.saved.size(), kNowhere);
            step.recomputed_states.resize(step.states.size(), kNowhere);
        }
    }

    void add(std::uint64_t bytes, const Life& life, std::uint64_t& offset) {
        const std::uint64_t unit = plan_.memory.alignment;
        buffers_.push_back({(bytes + unit - 1) / unit * unit, life, {&offset}});
    }

    // `homes`: the tensor whose memory each one uses; empty: each uses its own.
    void add_tensors(const std::vector<Life>& lives, const std::vector<TensorId>& homes,
                     std::vector<std::uint64_t>& offsets) {
        std::vector<std::size_t> buffer_of(lives.size(), kNever);
        const auto home_of = [&](TensorId id) { return homes.empty() ? id : homes[id]; };
        for (TensorId id = 0; id < lives.size(); ++id) {
            if (lives[id].exists() && home_of(id) == id) {
                buffer_of[id] = buffers_.size();
                add(byte_count(plan_.graph.tensors[id].spec), lives[id], offsets[id]);
            }
        }
        for (TensorId id = 0; id < lives.size(); ++id) {
            if (lives[id].exists() && home_of(id) != id) {
                Buffer& home = buffers_[buffer_of[home_of(id)]];
                home.life.first = std::min(home.life.first, lives[id].first);
                home.life.last = std::max(home.life.last, lives[id].last);
                home.offsets.push_back(&offsets[id]);
            }
        }
    }

    // Adds what a step needs besides tensors. A time of kNever means no launch in that direction, and adds nothing.
    void add_step(Step& step, std::size_t forward, std::size_t recompute, std::size_t backward) {
        const registry::KernelNeeds& needs = step.kernel.needs();
        const bool is_recomputed = recompute != kNever;
        for (std::size_t i = 0; i < needs.saved.size(); ++i) {
            const auto until = [&](std::size_t made) { return backward == kNever ? made : backward; };
            add(needs.saved[i], {forward, is_recomputed ? forward : until(forward)}, step.saved[i]);
            if (is_recomputed) {
                add(needs.saved[i], {recompute, until(recompute)}, step.recomputed_saved[i]);
            }
        }
        for (std::size_t i = 0; i < step.states.size() && is_recomputed; ++i) {
            add(byte_count(plan_.graph.states[step.states[i]].spec), {recompute, recompute}, step.recomputed_states[i]);
        }
        const auto add_workspace = [&](std::size_t time, std::uint64_t& offset) {
            if (needs.workspace > 0 && time != kNever) {
                add(needs.workspace, {time, time}, offset);
            }
        };
        add_workspace(forward, step.forward_workspace);
        add_workspace(recompute, step.recompute_workspace);
        add_workspace(backward, step.backward_workspace);
    }

    Plan& plan_;
    std::vector<Buffer> buffers_;
};

}  // namespace

std::vector<std::size_t> times_of(const Plan& plan, Direction direction) {
    std::vector<std::size_t> times(plan.steps.size(), kNever);
    for (std::size_t time = 0; time < plan.launches.size(); ++time) {
        if (plan.launches[time].direction == direction) {
            times[plan.launches[time].step] = time;
        }
    }
    return times;
}

std::vector<bool> are_recomputed(const Plan& plan) {
    std::vector<bool> made(plan.graph.tensors.size(), false);
    for (const auto& [direction, step] : plan.launches) {
        for (const TensorId id : plan.steps[step].outputs) {
            made[id] = made[id] || direction == Direction::recompute;
        }
    }
    return made;
}

Lives find_lives(const Plan& plan) {
    const std::size_t count = plan.graph.tensors.size();
    Lives lives{std::vector<Life>(count), std::vector<Life>(count), std::vector<Life>(count)};
    for (const Feed& feed : plan.graph.feeds) {
        lives.tensors[feed.tensor].use(0);
    }
    const std::vector<bool> made = are_recomputed(plan);
    for (std::size_t time = 0; time < plan.launches.size(); ++time) {
        use_in_launch(plan, time, made, lives);
    }
    for (TensorId id = 0; id < count; ++id) {
        if (plan.graph.tensors[id].kept && lives.tensors[id].exists()) {
            lives.tensors[id].last = plan.launches.size();
        }
    }
    return lives;
}

std::vector<Buffer> list_buffers(Plan& plan) { return Lister(plan).list(); }

std::uint64_t peak_bytes_of(std::span<const Buffer> buffers) {
    std::size_t end = 0;
    for (const Buffer& buffer : buffers) {
        end = std::max(end, buffer.life.last + 2);
    }
    std::vector<std::uint64_t> begin(end, 0);
    std::vector<std::uint64_t> over(end, 0);
    for (const Buffer& buffer : buffers) {
        begin[buffer.life.first] += buffer.bytes;
        over[buffer.life.last + 1] += buffer.bytes;
    }
    std::uint64_t alive = 0;
    std::uint64_t most = 0;
    for (std::size_t time = 0; time < end; ++time) {
        alive = alive + begin[time] - over[time];
        most = std::max(most, alive);
    }
    return most;
}

}  // namespace sluice::plan
