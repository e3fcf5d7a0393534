#include "plan/passes/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "plan/passes/lifetimes.hpp"

namespace sluice::plan {
namespace {

class Verifier {
public:
    Verifier(Plan& plan, const std::string& pass) : plan_(plan), pass_(pass) {}

    void run() {
        nodes_follow_what_they_read();
        if (!plan_.steps.empty()) {
            steps_cover_each_node_once();
        }
        if (!plan_.launches.empty()) {
            launches_read_what_was_written();
        }
        if (plan_.memory.arena_bytes > 0) {
            nothing_shares_memory_at_one_time();
        }
    }

private:
    void expect(bool is_true, const char* what, std::size_t number) const {
        if (!is_true) {
            throw std::logic_error(fmt::format("the plan is not sound after '{}': {} ({})", pass_, what, number));
        }
    }

    void nodes_follow_what_they_read() const {
        std::vector<bool> made(plan_.graph.tensors.size(), false);
        for (const Feed& feed : plan_.graph.feeds) {
            made[feed.tensor] = true;
        }
        for (std::size_t n = 0; n < plan_.graph.nodes.size(); ++n) {
            const Node& node = plan_.graph.nodes[n];
            expect(std::ranges::all_of(node.inputs, [&](TensorId id) { return made[id]; }),
                   "a node reads what no node before it makes", n);
            for (const TensorId id : node.outputs) {
                made[id] = true;
            }
        }
        expect(made[plan_.graph.prediction], "no node makes the prediction", plan_.graph.prediction);
    }

    void steps_cover_each_node_once() const {
        std::vector<std::size_t> times(plan_.graph.nodes.size(), 0);
        for (const Step& step : plan_.steps) {
            for (const std::size_t n : step.nodes) {
                ++times[n];
            }
        }
        for (std::size_t n = 0; n < times.size(); ++n) {
            expect(times[n] == 1, "a node is in no step or in several", n);
        }
    }

    // A tensor exists once. One that is made again exists twice, and backward reads the second.
    void launches_read_what_was_written() const {
        const std::vector<bool> is_recomputed = are_recomputed(plan_);
        std::vector<bool> first(plan_.graph.tensors.size(), false);
        std::vector<bool> second = first;
        for (const Feed& feed : plan_.graph.feeds) {
            first[feed.tensor] = true;
        }
        for (std::size_t time = 0; time < plan_.launches.size(); ++time) {
            const Direction direction = plan_.launches[time].direction;
            const Step& step = plan_.steps[plan_.launches[time].step];
            const auto is_there = [&](TensorId id) {
                return direction != Direction::forward && is_recomputed[id] ? second[id] : first[id];
            };
            const registry::KernelNeeds& needs = step.kernel.needs();
            for (std::size_t i = 0; i < step.inputs.size(); ++i) {
                const bool reads = direction != Direction::backward || (needs.reads_inputs >> i & 1) != 0;
                expect(!reads || is_there(step.inputs[i]), "a launch reads what was not written yet", time);
            }
            for (std::size_t i = 0; i < step.outputs.size(); ++i) {
                const bool reads = direction == Direction::backward && (needs.reads_outputs >> i & 1) != 0;
                expect(!reads || is_there(step.outputs[i]), "a launch reads its output, which was not written", time);
                if (direction != Direction::backward) {
                    (direction == Direction::forward ? first : second)[step.outputs[i]] = true;
                }
            }
        }
    }

    void nothing_shares_memory_at_one_time() {
        const std::vector<Buffer> buffers = list_buffers(plan_);
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const Buffer& a = buffers[i];
            const std::uint64_t begin = *a.offsets.front();
            expect(std::ranges::all_of(a.offsets, [&](const std::uint64_t* o) { return *o == begin; }),
                   "tensors that share a buffer have different offsets", i);
            expect(begin + a.bytes <= plan_.memory.arena_bytes, "a buffer exceeds the arena", i);
            for (std::size_t k = 0; k < i; ++k) {
                const Buffer& b = buffers[k];
                const bool same_time = a.life.first <= b.life.last && b.life.first <= a.life.last;
                const bool same_place = begin < *b.offsets.front() + b.bytes && *b.offsets.front() < begin + a.bytes;
                expect(!same_time || !same_place, "two buffers in use at one time share memory", i);
            }
        }
    }

    Plan& plan_;
    const std::string& pass_;
};

}  // namespace

void verify(Plan& plan, const std::string& pass) { Verifier(plan, pass).run(); }

}  // namespace sluice::plan
