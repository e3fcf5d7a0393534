#include "run/replica.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "run/overflow.hpp"
#include "sluice/half.h"

namespace sluice::run {
namespace {

std::vector<registry::Field> fields_of(const data::Batch& batch) {
    std::vector<registry::Field> fields;
    for (const data::NamedTensor& field : batch.fields) {
        fields.push_back({field.name, field.role, field.tensor.spec});
    }
    return fields;
}

// torch.nn.utils.clip_grad_norm_ divides by the norm and this.
constexpr double kClipEpsilon = 1e-6;

// Norm and average are computed here, not by a plugin.
void check_host_memory(const config::PipelineSpec& spec, bool scales, const registry::Device& device) {
    if (!device.is_host_memory() && (spec.clip_norm > 0.0 || spec.train.ema > 0.0 || scales)) {
        throw Error(Exit::config,
                    fmt::format("optimizer.clip_norm, train.ema and a precision policy that scales the loss need "
                                "device 'cpu'; this is '{}'",
                                device.kind()));
    }
}

}  // namespace

Replica::Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
                 std::span<const registry::Field> fields, int threads)
    : spec_(spec),
      tools_(tools),
      optimizer_(optimizer),
      threads_(threads),
      stream_(tools.device),
      scalars_(tools.device, sizeof(sluice_step_scalars)),
      gradient_scalars_(tools.device, sizeof(sluice_step_scalars), registry::Block::Where::pinned_host),
      update_scalars_(tools.device, sizeof(sluice_step_scalars), registry::Block::Where::pinned_host),
      arena_(tools.device, 0),
      scaler_(tools),
      loss_scale_(scaler_.scales() ? scaler_.begin().value : 1.0) {
    const plan::Mode mode = optimizer != nullptr ? plan::Mode::train
                            : std::ranges::find(fields, spec.model.target, &registry::Field::name) == fields.end()
                                ? plan::Mode::predict
                                : plan::Mode::evaluate;
    plan::Plan first = plan::make_plan(spec_, tools_, fields, mode, threads_.api());
    const bool trains = optimizer != nullptr;
    weights_ =
        std::make_unique<Weights>(tools_.device, first, trains ? optimizer->states() : std::span<const std::string>{},
                                  trains && spec.train.ema > 0.0);
    weights_->initialise(static_cast<std::uint64_t>(spec.seed), stream_.handle(), *threads_.api());
    if (trains) {
        check_host_memory(spec, scaler_.scales(), *tools_.device);
    }
    if (trains && (spec.clip_norm > 0.0 || scaler_.scales())) {
        square_sum_.emplace(weights_->count());
    }
    if (trains && (spec.train.accumulate > 1 || scaler_.scales())) {
        running_before_.emplace(tools_.device, weights_->running_count() * sizeof(float));
    }
    add_program(std::move(first), fields);
}

Replica::Program& Replica::program(plan::Mode mode, const data::Batch& batch) {
    for (const auto& known : programs_) {
        const auto same = [](const sluice_tensor_spec& spec, const data::NamedTensor& field) {
            return spec == field.tensor.spec;
        };
        if (known->plan.graph.mode == mode && std::ranges::equal(known->shapes, batch.fields, same)) {
            return *known;
        }
    }
    drop_oldest_program();
    const std::vector<registry::Field> fields = fields_of(batch);
    return add_program(plan::make_plan(spec_, tools_, fields, mode, threads_.api()), fields);
}

// Pictures of many sizes would fill the memory with plans.
void Replica::drop_oldest_program() {
    constexpr std::size_t kMost = 8;
    if (programs_.size() >= kMost) {
        programs_.erase(programs_.begin() + 1);  // the first is what plan() shows
    }
}

Replica::Program& Replica::add_program(plan::Plan plan, std::span<const registry::Field> fields) {
    auto program = std::make_unique<Program>();
    program->plan = std::move(plan);
    for (const registry::Field& field : fields) {
        program->shapes.push_back(field.spec);
    }
    programs_.push_back(std::move(program));
    // Programs run one after the other on one stream: they share the arena of the largest.
    if (programs_.back()->plan.memory.arena_bytes > arena_.size()) {
        arena_ = registry::Block(tools_.device, 0);
        arena_ = registry::Block(tools_.device, programs_.back()->plan.memory.arena_bytes);
        for (const auto& other : programs_) {
            bind(*other);
        }
    } else {
        bind(*programs_.back());
    }
    return *programs_.back();
}

void Replica::bind(Program& program) {
    const LaunchContext context{stream_.handle(), reinterpret_cast<const sluice_step_scalars*>(scalars_.data()),
                                threads_.api(),   static_cast<std::uint64_t>(spec_.seed),
                                watch_,           weights_->averaged() && program.plan.graph.mode != plan::Mode::train};
    program.executor = std::make_unique<Executor>(program.plan, *weights_, arena_.data(), context);
}

void Replica::watch_launches(LaunchWatch* watch) {
    watch_ = watch;
    for (const auto& program : programs_) {
        bind(*program);
    }
}

void Replica::feed(const Program& program, const data::Batch& batch) const {
    for (const plan::Feed& feed : program.plan.graph.feeds) {
        const auto field = std::ranges::find(batch.fields, feed.field, &data::NamedTensor::name);
        tools_.device->copy(program.executor->tensor(feed.tensor), field->tensor.bytes.data(),
                            byte_count(field->tensor.spec), stream_.handle());
    }
}

void Replica::write_scalars(const sluice_step_scalars& scalars, const registry::Block& staged) const {
    std::memcpy(staged.data(), &scalars, sizeof(scalars));
    tools_.device->copy(scalars_.data(), staged.data(), sizeof(scalars), stream_.handle());
}

std::span<const float> Replica::read(const Program& program, plan::TensorId id) {
    return read(program.plan.graph.tensors[id].spec, program.executor->tensor(id));
}

std::span<const float> Replica::read(const sluice_tensor_spec& spec, const std::byte* from) {
    read_.resize(static_cast<std::size_t>(element_count(spec)));
    if (spec.dtype == kFloat32) {
        tools_.device->copy(read_.data(), from, read_.size() * sizeof(float), stream_.handle());
        tools_.device->wait(stream_.handle());
        return read_;
    }
    read_halves_.resize(read_.size());
    tools_.device->copy(read_halves_.data(), from, read_halves_.size() * sizeof(std::uint16_t), stream_.handle());
    tools_.device->wait(stream_.handle());
    std::ranges::transform(read_halves_, read_.begin(),
                           spec.dtype == kBfloat16 ? sluice_float_of_bfloat16 : sluice_float_of_float16);
    return read_;
}

std::span<const float> Replica::gradient(plan::TensorId id) {
    const std::byte* const from = last_->executor->gradient(id);
    return from != nullptr ? read(last_->plan.graph.tensors[id].spec, from) : std::span<const float>{};
}

LossSum Replica::read_loss(const Program& program) {
    LossSum loss;
    const std::span<const float> rows = read(program, program.plan.graph.loss);
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
        loss.sum += rows[i];
        loss.weight += rows[i + 1];
    }
    return loss;
}

LossSum Replica::compute_gradients(const data::Batch& batch, std::uint64_t step, std::uint64_t part) {
    Program& train = program(plan::Mode::train, batch);
    last_ = &train;
    feed(train, batch);
    if (part == 0) {  // all parts of a step share it
        overflowed_.reset();
        loss_elements_ = static_cast<double>(element_count(train.plan.graph.tensors[train.plan.graph.prediction].spec));
    }
    if (part == 0 && running_before_) {
        unfinished_ = true;
        tools_.device->copy(running_before_->data(), weights_->running(), running_before_->size(), stream_.handle());
    }
    write_scalars({.rate = 0.0,
                   .gradient_scale = 0.0,
                   .loss_seed = loss_scale_ / loss_elements_,
                   .step = step,
                   .random_counter = (step - 1) * static_cast<std::uint64_t>(spec_.train.accumulate) + part + 1,
                   .skip = 0,
                   .reserved = 0},
                  gradient_scalars_);
    train.executor->forward(version_);
    const LossSum loss = read_loss(train);
    if (!std::isfinite(loss.sum)) {
        meet_overflow(train, batch, step, loss.sum);
        return loss;
    }
    train.executor->backward(version_, part > 0);
    return loss;
}

std::string Replica::first_not_finite(const Program& program, const data::Batch& batch) {
    feed(program, batch);  // the launches before have reused the memory of what was fed
    return program.executor->first_not_finite(version_, [&](plan::TensorId id) { return read(program, id); })
        .value_or("loss");
}

// Ends the run, unless the scale of the loss may be to blame.
void Replica::meet_overflow(const Program& program, const data::Batch& batch, std::uint64_t step, double loss) {
    const std::string layer = first_not_finite(program, batch);
    if (!scaler_.scales() || !is_finite(batch)) {
        throw Error(Exit::diverged,
                    fmt::format("the loss of step {} is {}; the first output that is not finite is that of layer '{}'; "
                                "{}",
                                step, loss, layer, cure_of(program.plan.graph, layer)));
    }
    overflowed_ = layer;
}

std::string Replica::overflow_place() const {
    if (overflowed_) {
        return fmt::format("in the output of layer '{}' and in the loss", *overflowed_);
    }
    const auto layer = overflowing_layer(last_->plan.graph, *weights_);
    return layer ? fmt::format("in a gradient of layer '{}', where backward met it first", *layer) : "in the loss";
}

void Replica::abandon_step() {
    if (std::exchange(unfinished_, false)) {
        tools_.device->copy(weights_->running(), running_before_->data(), running_before_->size(), stream_.handle());
        tools_.device->wait(stream_.handle());
    }
}

void Replica::update_average(std::uint64_t step) {
    const auto share = static_cast<float>(1.0 - average_decay(spec_.train.ema, step));
    move_average(*threads_.api(), weights_->average(), weights_->parameters(), weights_->count(), share);
    move_average(*threads_.api(), weights_->running_average(), weights_->running(), weights_->running_count(), share);
}

Update Replica::update(double rate, double weight, std::uint64_t step) {
    // Nothing counted: nothing is learnt.
    double scale = weight > 0.0 ? loss_elements_ / (weight * loss_scale_) : 0.0;
    const double norm = square_sum_ ? scale * std::sqrt((*square_sum_)(*threads_.api(), weights_->gradients())) : 0.0;
    if (overflowed_ || !std::isfinite(norm)) {
        if (!scaler_.scales()) {
            throw Error(Exit::diverged, fmt::format("the norm of the gradients of step {} is {}; a lower "
                                                    "optimizer.rate is the usual cure",
                                                    step, norm));
        }
        abandon_step();
        return {.norm = norm, .skipped = true};
    }
    if (spec_.clip_norm > 0.0) {
        scale *= std::min(1.0, spec_.clip_norm / (norm + kClipEpsilon));
    }
    write_scalars({.rate = rate,
                   .gradient_scale = scale,
                   .loss_seed = loss_scale_ / loss_elements_,
                   .step = step,
                   .random_counter = step,
                   .skip = weight > 0.0 ? 0U : 1U,  // nothing in the batch counts: every label is ignored
                   .reserved = 0},
                  update_scalars_);
    optimizer_->update({.struct_size = sizeof(sluice_optimizer_launch),
                        .parameters = weights_->parameters(),
                        .gradients = weights_->gradients(),
                        .states = weights_->optimizer_states().data(),
                        .count = weights_->count(),
                        .scalars = reinterpret_cast<const sluice_step_scalars*>(scalars_.data()),
                        .threads = threads_.api(),
                        .stream = stream_.handle()});
    if (weights_->averaged()) {
        update_average(step);
    }
    ++version_;
    unfinished_ = false;
    return {.norm = norm, .skipped = false};
}

EvaluatedBatch Replica::evaluate(const data::Batch& batch) {
    Program& program = this->program(plan::Mode::evaluate, batch);
    last_ = &program;
    feed(program, batch);
    program.executor->forward(version_);
    EvaluatedBatch result;
    result.loss = read_loss(program);
    for (const plan::MetricOutput& metric : program.plan.graph.metrics) {
        const std::span<const float> rows = read(program, metric.tensor);
        const std::size_t width = rows.size() / static_cast<std::size_t>(batch.count);
        std::vector<double> sums(width, 0.0);
        std::vector<double> each;
        for (std::size_t i = 0; i < rows.size(); i += width) {
            const std::vector<double> row(rows.begin() + static_cast<std::ptrdiff_t>(i),
                                          rows.begin() + static_cast<std::ptrdiff_t>(i + width));
            std::ranges::transform(sums, row, sums.begin(), std::plus<>{});
            each.push_back(metric.value(row));
        }
        result.metric_sums.push_back(std::move(sums));
        result.per_sample.push_back(std::move(each));
    }
    return result;
}

void Replica::predict(const data::Batch& batch) {
    Program& program = this->program(plan::Mode::predict, batch);
    last_ = &program;
    feed(program, batch);
    program.executor->forward(version_);
}

std::vector<data::NamedTensor> Replica::images() {
    std::vector<data::NamedTensor> images;
    for (const plan::ImageOutput& image : last_->plan.graph.images) {
        const std::span<const float> values = read(*last_, image.tensor);
        data::NamedTensor out{image.name, SLUICE_FIELD_IMAGE, {last_->plan.graph.tensors[image.tensor].spec, {}}};
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
        out.tensor.bytes.assign(bytes, bytes + values.size() * sizeof(float));
        images.push_back(std::move(out));
    }
    return images;
}

}  // namespace sluice::run
