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
    device,  // the host waits for a device whose work is asynchronous; StepAccount counts it as a stage above
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
    // Returns the seconds for which the loop waits for a batch.
    [[nodiscard]] double of_data() const { return (*this)[Stage::read] + (*this)[Stage::preprocess]; }

private:
    std::array<double, kStages + 1> seconds_{};
};

// Says when a device whose work is asynchronous was busy with a step. It is empty if the device has no clock.
struct DeviceStep {
    // Both are times of the device's clock. Between two intervals, the device waits for the next micro-batch.
    struct Busy {
        double begin = 0.0;
        double end = 0.0;
    };
    static constexpr std::size_t kMostBusy = 16;

    [[nodiscard]] bool is_empty() const { return busy_count == 0; }

    StageSeconds seconds;
    std::array<Busy, kMostBusy> busy{};  // one for each micro-batch; the last one has those that found no room too
    std::size_t busy_count = 0;
    double enqueued = 0.0;  // when the host began to enqueue it, as now()
};

}  // namespace sluice::profile
