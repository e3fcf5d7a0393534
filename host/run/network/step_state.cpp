#include "run/network/step_state.hpp"

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
      cells_(device_, sizeof(Cells)),
      workspace_(device_, rule.has_norm != 0 ? calls_.workspace(gradients) : 0),
      start_slots_(make_slots(kWritten, 2 * kAhead)),
      report_slots_(make_slots(sizeof(Ended), kAhead)) {
    rule_.struct_size = sizeof(rule_);
    device_->zero(cells_.data(), cells_.size(), stream_);
}

std::vector<StepState::Slot> StepState::make_slots(std::uint64_t bytes, std::size_t count) const {
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < count; ++i) {
        slots.push_back(
            {registry::Block(device_, bytes, registry::Block::Where::pinned_host), registry::Event(device_)});
    }
    return slots;
}

void StepState::write_report(const sluice_step_report& report) {
    device_->copy(this->report(), &report, sizeof(report), stream_);
    device_->wait(stream_);
}

void StepState::write_start(const sluice_step_start& start, double status) {
    const Slot& slot = start_slots_[written_++ % start_slots_.size()];
    slot.copied.wait();
    const Cells cells{start, {.status = status, .report = {}}};
    std::memcpy(slot.block.data(), &cells, kWritten);
    device_->copy(cells_.data(), slot.block.data(), kWritten, stream_);
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
    move(weights.average().parameters(), weights.parameters(), weights.count());
    move(weights.average().running(), weights.running(), weights.running_count());
}

void StepState::send_report() const {
    const Slot& slot = report_slots_[sent_ % report_slots_.size()];
    device_->copy(slot.block.data(), &cells()->ended, sizeof(Ended), stream_);
}

void StepState::end_report() { report_slots_[sent_++ % report_slots_.size()].copied.record(stream_); }

StepState::Ended StepState::take_report() {
    const Slot& slot = report_slots_[taken_++ % report_slots_.size()];
    slot.copied.wait();
    Ended ended{};
    std::memcpy(&ended, slot.block.data(), sizeof(ended));
    return ended;
}

}  // namespace sluice::run
