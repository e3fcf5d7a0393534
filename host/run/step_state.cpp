#include "run/step_state.hpp"

#include <cstring>

namespace sluice::run {

StepState::StepState(std::shared_ptr<const registry::Device> device, void* stream, const sluice_threads* threads,
                     sluice_step_scalars* scalars, const sluice_step_rule& rule, std::uint64_t gradients)
    : device_(std::move(device)),
      stream_(stream),
      calls_(device_, stream, threads),
      rule_(rule),
      gradient_count_(gradients),
      scalars_(scalars),
      start_(device_, sizeof(sluice_step_start)),
      report_(device_, sizeof(sluice_step_report)),
      workspace_(device_, rule.has_norm != 0 ? calls_.workspace(gradients) : 0),
      start_slots_(make_slots(sizeof(sluice_step_start), 2 * kAhead)),
      report_slots_(make_slots(sizeof(sluice_step_report), kAhead)) {
    rule_.struct_size = sizeof(rule_);
    device_->zero(report_.data(), report_.size(), stream_);
}

std::vector<StepState::Slot> StepState::make_slots(std::uint64_t bytes, std::size_t count) const {
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < count; ++i) {
        slots.push_back(
            {registry::Block(device_, bytes, registry::Block::Where::pinned_host), registry::Event(device_)});
    }
    return slots;
}

sluice_step_report* StepState::report() const { return reinterpret_cast<sluice_step_report*>(report_.data()); }

const sluice_step_start* StepState::start() const { return reinterpret_cast<const sluice_step_start*>(start_.data()); }

void StepState::write_report(const sluice_step_report& report) {
    device_->copy(report_.data(), &report, sizeof(report), stream_);
    device_->wait(stream_);
}

void StepState::write_start(const sluice_step_start& start) {
    const Slot& slot = start_slots_[written_++ % start_slots_.size()];
    slot.copied.wait();
    std::memcpy(slot.block.data(), &start, sizeof(start));
    device_->copy(start_.data(), slot.block.data(), sizeof(start), stream_);
    slot.copied.record(stream_);
}

void StepState::sum_squares(const float* gradients) {
    if (wants_norm()) {
        calls_.sum_squares(gradients, gradient_count_, report(), workspace_.data());
    }
}

void StepState::move_averages(const Weights& weights, double decay) const {
    const auto move = [&](float* average, const float* values, std::uint64_t count) {
        calls_.move_average(average, values, count, decay, scalars_, report());
    };
    move(weights.average(), weights.parameters(), weights.count());
    move(weights.running_average(), weights.running(), weights.running_count());
}

void StepState::send_report() {
    const Slot& slot = report_slots_[sent_++ % report_slots_.size()];
    device_->copy(slot.block.data(), report_.data(), sizeof(sluice_step_report), stream_);
    slot.copied.record(stream_);
}

sluice_step_report StepState::take_report() {
    const Slot& slot = report_slots_[taken_++ % report_slots_.size()];
    slot.copied.wait();
    sluice_step_report report{};
    std::memcpy(&report, slot.block.data(), sizeof(report));
    return report;
}

}  // namespace sluice::run
