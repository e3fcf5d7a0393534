#include "registry/optional/step_calls.hpp"

#include "registry/loading/reported_values.hpp"
#include "registry/objects/device_call.hpp"

namespace sluice::registry {

StepCalls::StepCalls(std::shared_ptr<const Device> device, void* stream, const sluice_threads* threads)
    : device_(std::move(device)), stream_(stream), threads_(device_->is_host_memory() ? threads : nullptr) {
    if (device_->step() == nullptr) {
        throw Error(Exit::device, fmt::format("{} cannot train: it serves no {}",
                                              name_of_device(device_->object().component()), SLUICE_STEP_V1));
    }
}

template <class Function, class... Args>
void StepCalls::call(const char* action, Function function, Args... args) const {
    call_device(device_->object().component(), action, function, self(), args...);
}

void StepCalls::begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
                      sluice_step_scalars* scalars) const {
    call("the start of a step failed", device_->step()->begin, &rule, start, report, scalars, stream_);
}

void StepCalls::add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report) const {
    call("adding up the loss failed", device_->step()->add_loss, pairs, count, is_first ? 1U : 0U, report, threads_,
         stream_);
}

std::uint64_t StepCalls::workspace(std::uint64_t count) const {
    const Component& component = device_->object().component();
    const std::uint64_t bytes = enter(component, device_->step()->workspace, self(), count);
    check_bytes(component, bytes, "its workspace of a step");
    return bytes;
}

void StepCalls::sum_squares(const float* values, std::uint64_t count, sluice_step_report* report,
                            void* workspace) const {
    call("the norm of the gradients failed", device_->step()->sum_squares, values, count, report, workspace, threads_,
         stream_);
}

void StepCalls::decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report) const {
    call("the end of a step failed", device_->step()->decide, &rule, scalars, report, stream_);
}

void StepCalls::restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report) const {
    call("undoing a step failed", device_->step()->restore, to, from, count, report, threads_, stream_);
}

void StepCalls::move_average(float* average, const float* values, std::uint64_t count, double decay,
                             const sluice_step_scalars* scalars, const sluice_step_report* report) const {
    call("the moving average failed", device_->step()->move_average, average, values, count, decay, scalars, report,
         threads_, stream_);
}

void StepCalls::round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype) const {
    call("rounding the parameters failed", device_->step()->round, to, values, count, dtype, threads_, stream_);
}

}  // namespace sluice::registry
