// A window of some steps of a training, made by hand: a loop, two loader threads, an observer thread, maybe a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sluice/kind/observer.h"

namespace sluice::observers::tests {

// Durations of a step's parts, in nanoseconds.
struct WindowShape {
    std::int64_t first_step = 20;
    std::int64_t last_step = 21;
    std::int64_t read = 3'000'000;
    std::int64_t preprocess = 1'000'000;
    std::int64_t upload = 200'000;
    std::int64_t convolution = 2'000'000;  // forward; backward takes twice as long
    std::int64_t optimizer = 500'000;
    std::int64_t output = 300'000;
    bool has_stream = false;
    std::int64_t lag = 0;  // from a launch to its work on the stream, at least
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
};

class RecordedWindow {
public:
    explicit RecordedWindow(const WindowShape& shape);
    RecordedWindow(const RecordedWindow&) = delete;
    RecordedWindow& operator=(const RecordedWindow&) = delete;

    [[nodiscard]] const sluice_profile& profile() const { return profile_; }
    [[nodiscard]] sluice_profile& profile() { return profile_; }
    [[nodiscard]] std::vector<sluice_span>& spans() { return spans_; }
    [[nodiscard]] std::int64_t step_ns() const;  // duration of a step

private:
    void add_threads();
    void add_operations();
    void add_tensors();
    void add_step(std::int64_t step, std::int64_t begin);
    void add_input(std::int64_t step, std::int64_t begin);
    std::int64_t add_stage(const char* name, std::int64_t step, std::int64_t begin, std::int64_t duration);
    std::int64_t add_launches(const char* stage, std::int64_t step, std::int64_t begin,
                              const std::vector<std::uint32_t>& operations);
    std::uint64_t enqueue(std::int64_t at, std::int64_t duration, std::uint32_t kind, std::uint32_t operation);
    void add_span(sluice_span span);
    void finish();
    [[nodiscard]] std::int64_t duration_of(std::uint32_t operation) const;
    std::uint32_t name(const std::string& text);
    sluice_text keep(const std::string& text);

    WindowShape shape_;
    std::deque<std::string> texts_;
    std::vector<sluice_text> names_;
    std::vector<sluice_span> spans_;
    std::vector<sluice_profile_thread> threads_;
    std::vector<sluice_profile_operation> operations_;
    std::vector<sluice_profile_tensor> tensors_;
    std::vector<sluice_profile_point> points_;
    std::uint64_t correlation_ = 0;
    std::int64_t device_ = 0;  // end of the stream's work
    sluice_profile profile_{};
};

}  // namespace sluice::observers::tests
