#include "run/network/network.hpp"

#include <algorithm>
#include <utility>

#include "plan/memory_need.hpp"
#include "plan/passes/make_plan.hpp"
#include "profile/stage_clock.hpp"
#include "registry/optional/usage.hpp"

namespace sluice::run {
namespace {

std::vector<registry::Field> fields_of(const data::Batch& batch) {
    std::vector<registry::Field> fields;
    for (const data::NamedTensor& field : batch.fields) {
        fields.push_back({field.name, field.role, field.tensor.spec});
    }
    return fields;
}

plan::Mode first_mode(const config::PipelineSpec& spec, bool trains, std::span<const registry::Field> fields) {
    if (trains) {
        return plan::Mode::train;
    }
    const bool has_target = std::ranges::find(fields, spec.model.target, &registry::Field::name) != fields.end();
    return has_target ? plan::Mode::evaluate : plan::Mode::predict;
}

}  // namespace

Network::Network(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
                 std::span<const registry::Field> fields, const LaunchContext& context, const plan::UpdateShare& share)
    : spec_(spec), tools_(tools), optimizer_(optimizer), share_(share), context_(context), arena_(tools.device, 0) {
    const bool trains = optimizer != nullptr;
    plan::Plan first = make_plan(first_mode(spec, trains, fields), fields);
    weights_.emplace(tools_.device, first, trains ? optimizer->states() : std::span<const std::string>{},
                     trains && spec.train.ema > 0.0, share_);
    weights_->initialise(context.seed, context.stream, *context.threads);
    add(std::move(first), fields);
}

plan::Plan Network::make_plan(plan::Mode mode, std::span<const registry::Field> fields) {
    plan::Plan plan = plan::make_plan(spec_, tools_, fields, mode, context_.threads);
    const bool trains = optimizer_ != nullptr;
    const plan::WeightBytes weights =
        plan::weight_bytes(plan, trains ? optimizer_->states().size() : 0, trains && spec_.train.ema > 0.0, share_);
    if (!free_) {  // measured after the first plan, since its kernels load code into device memory
        free_ = registry::free_memory(*tools_.device);
        if (free_) {
            *free_ /= tools_.replicas_sharing_memory;
        }
    }
    plan::MemoryNeed need = plan::memory_need(
        plan, weights, spec_, *tools_.device,
        {.has_others = context_.replicas != nullptr, .shards_per_replica = context_.shards_per_replica});
    if (need.arena > arena_.size()) {
        for (const registry::Block& arena : earlier_arenas_) {
            need.arena += arena.size();
        }
        need.arena += holds(arena_) ? arena_.size() : 0;
    }
    plan::check_fits(need, *free_, spec_, mode, *tools_.device);
    return plan;
}

const plan::Plan& Network::prepare(plan::Mode mode, std::span<const registry::Field> fields) {
    return add(make_plan(mode, fields), fields).plan;
}

Program& Network::program(plan::Mode mode, const data::Batch& batch) {
    const auto same = [](const sluice_tensor_spec& spec, const data::NamedTensor& field) {
        return spec == field.tensor.spec;
    };
    const auto known = std::ranges::find_if(programs_, [&](const auto& program) {
        return program->plan.graph.mode == mode && std::ranges::equal(program->shapes, batch.fields, same);
    });
    if (known != programs_.end()) {
        Program& program = **known;
        if (known != programs_.begin()) {  // moves the most recently used program to the end
            std::rotate(known, known + 1, programs_.end());
        }
        return program;
    }
    const profile::StageScope stage(profile::Stage::prepare);
    make_room();
    const std::vector<registry::Field> fields = fields_of(batch);
    return add(make_plan(mode, fields), fields);
}

void Network::make_room() {
    constexpr std::size_t kMost = 8;  // programs; plans for pictures of many sizes would fill the memory
    const auto oldest = std::find_if_not(programs_.begin() + 1, programs_.end(),
                                         [this](const auto& program) { return stays(*program); });
    if (programs_.size() >= kMost && oldest != programs_.end()) {
        tools_.device->wait(context_.stream);
        programs_.erase(oldest);
    }
}

// Programs run one after the other on one stream, so they share one arena, as large as the largest needs.
void Network::grow_arena(std::uint64_t bytes) {
    tools_.device->wait(context_.stream);
    if (holds(arena_)) {
        earlier_arenas_.push_back(std::move(arena_));
    }
    arena_ = registry::Block(tools_.device, 0);
    arena_ = registry::Block(tools_.device, bytes);
    for (const auto& program : programs_) {
        if (!stays(*program)) {
            bind(*program);
        }
    }
}

bool Network::stays(const Program& program) const {
    const auto has_begun = [](const CapturedGraph& captured) { return captured.has_begun(); };
    return context_.replicas != nullptr && (std::ranges::any_of(program.common_graphs[0], has_begun) ||
                                            std::ranges::any_of(program.common_graphs[1], has_begun));
}

bool Network::holds(const registry::Block& arena) const {
    return std::ranges::any_of(programs_,
                               [&](const auto& program) { return stays(*program) && program->arena == arena.data(); });
}

Program& Network::add(plan::Plan plan, std::span<const registry::Field> fields) {
    auto program = std::make_shared<Program>();
    program->plan = std::move(plan);
    for (const registry::Field& field : fields) {
        program->shapes.push_back(field.spec);
    }
    for (const plan::Step& step : program->plan.steps) {
        if (const auto dtype = step.kernel.needs().rounded_parameters) {
            weights_->keep_rounded(*dtype);
        }
    }
    programs_.push_back(std::move(program));
    if (const std::uint64_t bytes = programs_.back()->plan.memory.arena_bytes; bytes > arena_.size()) {
        grow_arena(bytes);
    } else {
        bind(*programs_.back());
    }
    return *programs_.back();
}

void Network::bind(Program& program) const {
    LaunchContext context = context_;
    if (!tools_.device->is_host_memory()) {
        context.threads = nullptr;
    }
    context.averaged = weights_->average().is_kept() && program.plan.graph.mode != plan::Mode::train;
    program.arena = arena_.data();
    program.executor = std::make_unique<Executor>(program.plan, *weights_, arena_.data(), context);
    program.places.clear();
    for (const plan::Feed& feed : program.plan.graph.feeds) {
        program.places.push_back(program.executor->tensor(feed.tensor));
    }
    // Captured graphs contain the old addresses.
    for (CapturedGraph* const captured : {program.common_graphs[0], program.common_graphs[1], program.alone}) {
        std::generate_n(captured, 2, [&] { return make_graph(); });
    }
}

// With a callback nothing is captured, so that it sees every launch.
bool Network::captures_graphs() const {
    return spec_.record && context_.callback == nullptr && tools_.device->streams() != nullptr;
}

CapturedGraph Network::make_graph() const {
    return captures_graphs() ? CapturedGraph(tools_.device, context_.stream) : CapturedGraph();
}

void Network::set_launch_callback(LaunchCallback* callback) {
    context_.callback = callback;
    for (const auto& program : programs_) {
        bind(*program);
    }
}

}  // namespace sluice::run
