// The stages of a training step, as the training loop passes through them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::profile {

// read and preprocess: the loop waits for a batch whose samples are read or transformed. exchange includes waiting for
// other replicas. output: events, pictures and metrics for observers. storage: checkpoints. prepare: plans and tuning
// for batches of a new shape. other: none of these.
enum class Stage : std::uint8_t {
    read,
    preprocess,
    upload,
    forward,
    backward,
    optimizer,
    exchange,
    download,
    output,
    storage,
    prepare,
    other,
    device,  // the host waits for a device whose work is asynchronous; StepAccount divides it among the stages above
};
inline constexpr std::size_t kStages = 12;  // without `device`

[[nodiscard]] std::string_view name_of(Stage stage);

// Seconds of each stage.
class StageSeconds {
public:
    [[nodiscard]] double& operator[](Stage stage) { return seconds_[static_cast<std::size_t>(stage)]; }
    [[nodiscard]] double operator[](Stage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }
    StageSeconds& operator+=(const StageSeconds& more);
    [[nodiscard]] double total() const;

private:
    std::array<double, kStages + 1> seconds_{};
};

// What a step took on a device whose work is asynchronous.
struct DeviceStep {
    StageSeconds seconds;   // of each stage, by the device's clock; all 0: the device has no clock
    double begin = 0.0;     // by the device's clock
    double end = 0.0;       // by the device's clock
    double enqueued = 0.0;  // when the host began to enqueue it, as now()
};

}  // namespace sluice::profile
