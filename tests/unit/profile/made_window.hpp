// Windows made by hand, with known times. All times are milliseconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "profile/window.hpp"

namespace sluice::profile {

class MadeWindow {
public:
    struct Details {
        std::uint32_t operation = kNone;
        std::string name{};
        std::int64_t sample = -1;
        std::uint64_t correlation = 0;
    };

    std::uint32_t thread(std::uint32_t kind, const std::string& name, std::uint32_t device = kNone) {
        const auto number = static_cast<std::uint32_t>(window_.threads.size());
        window_.threads.push_back({name, 100 + number, kind, device});
        return number;
    }
    std::uint32_t operation(std::uint32_t kind, const std::string& path, double flop, double done_flop, double bytes) {
        window_.operations.push_back({.path = path,
                                      .type = path.substr(path.find('/') + 1),
                                      .shape = "8x64x64x32",
                                      .kernel = "reference",
                                      .flop = flop,
                                      .done_flop = done_flop,
                                      .bytes = bytes,
                                      .kind = kind,
                                      .dtype = {2, 32, 1}});
        return static_cast<std::uint32_t>(window_.operations.size() - 1);
    }
    void span(std::uint32_t kind, std::uint32_t thread, double begin, double end, const Details& details) {
        window_.spans.push_back({.begin = 1e-3 * begin,
                                 .seconds = 1e-3 * (end - begin),
                                 .kind = kind,
                                 .thread = thread,
                                 .name = details.name.empty() ? kNone : name(details.name),
                                 .operation = details.operation,
                                 .step = 0,
                                 .sample = details.sample,
                                 .bytes = 0,
                                 .correlation = details.correlation});
    }
    void span(std::uint32_t kind, std::uint32_t thread, double begin, double end) {
        span(kind, thread, begin, end, {});
    }
    void stage(const std::string& stage, double begin, double end, std::uint32_t loop = 0) {
        span(SLUICE_SPAN_STAGE, loop, begin, end, {.name = stage});
    }
    void step(std::int64_t number, double begin, double end, std::uint32_t loop = 0) {
        span(SLUICE_SPAN_STEP, loop, begin, end, {.name = "step"});
        window_.spans.back().step = number;
    }
    void point(double time, const std::string& of, double value) {
        window_.points.push_back({1e-3 * time, value, name(of)});
    }
    void tensor(const std::string& of, std::uint64_t bytes, std::uint64_t offset, std::uint32_t first,
                std::uint32_t last) {
        window_.tensors.push_back({of, bytes, offset, first, last});
    }
    // Other fields may be set directly.
    [[nodiscard]] Window& raw() { return window_; }
    [[nodiscard]] Window window() {
        std::ranges::stable_sort(window_.spans, [](const WindowSpan& a, const WindowSpan& b) {
            return a.begin < b.begin || (a.begin == b.begin && a.seconds > b.seconds);
        });
        return window_;
    }

private:
    std::uint32_t name(const std::string& text) {
        const auto found = std::ranges::find(window_.names, text);
        const auto number = static_cast<std::uint32_t>(found - window_.names.begin());
        if (found == window_.names.end()) {
            window_.names.push_back(text);
        }
        return number;
    }

    Window window_;
};

// Two steps of 100 ms on a CPU, with an input thread and an observers' thread. The first batch takes 18 ms, the second
// one from 60 to 118, so that the second step waits for it. In each step, forward computes 27 ms, backward 27 and the
// optimizer 10; a recompute of 5 ms is nested in backward.
inline MadeWindow cpu_window() {
    MadeWindow made;
    const std::uint32_t loop = made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t input = made.thread(SLUICE_THREAD_INPUT, "input 0");
    const std::uint32_t observers = made.thread(SLUICE_THREAD_OBSERVER, "observers");
    const std::uint32_t conv = made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 1e10, 5e9, 1e8);
    const std::uint32_t relu = made.operation(SLUICE_SPAN_FORWARD, "net/relu", 0.0, 0.0, 6e8);
    const std::uint32_t back = made.operation(SLUICE_SPAN_BACKWARD, "net/conv2d", 2e10, 1e10, 2e8);
    const std::uint32_t again = made.operation(SLUICE_SPAN_RECOMPUTE, "net/relu", 0.0, 0.0, 4e8);
    const std::uint32_t adam = made.operation(SLUICE_SPAN_OPTIMIZER, "adam", 1e6, 1e6, 4e8);
    for (std::int64_t step = 1; step <= 2; ++step) {
        const double at = 100.0 * static_cast<double>(step - 1);
        made.step(step, at, at + 100);
        made.stage("read", at, at + 20);
        made.stage("upload", at + 20, at + 22);
        made.stage("forward", at + 22, at + 52);
        made.stage("backward", at + 52, at + 82);
        made.stage("optimizer", at + 82, at + 92);
        made.stage("download", at + 92, at + 94);
        made.stage("output", at + 94, at + 97);
        made.stage("storage", at + 97, at + 99);
        made.stage("other", at + 99, at + 100);
        made.span(SLUICE_SPAN_INPUT_WAIT, loop, at + 0.5, at + 19.5, {.name = "batch"});
        made.span(SLUICE_SPAN_UPLOAD, loop, at + 20, at + 22, {.name = "batch"});
        made.span(SLUICE_SPAN_FORWARD, loop, at + 23, at + 43, {.operation = conv});
        made.span(SLUICE_SPAN_FORWARD, loop, at + 43, at + 50, {.operation = relu});
        made.span(SLUICE_SPAN_BACKWARD, loop, at + 53, at + 80, {.operation = back});
        made.span(SLUICE_SPAN_RECOMPUTE, loop, at + 55, at + 60, {.operation = again});
        made.span(SLUICE_SPAN_OPTIMIZER, loop, at + 82, at + 92, {.operation = adam});
        made.span(SLUICE_SPAN_DOWNLOAD, loop, at + 92, at + 94, {.name = "result"});
        made.span(SLUICE_SPAN_STORAGE, loop, at + 97, at + 99, {.name = "checkpoint"});
        made.span(SLUICE_SPAN_OBSERVER, observers, at + 96, at + 98, {.name = "metrics"});
    }
    made.span(SLUICE_SPAN_READ, input, 0, 8, {.name = "photos", .sample = 0});
    made.span(SLUICE_SPAN_PREPROCESS, input, 8, 18, {.name = "decode", .sample = 0});
    made.span(SLUICE_SPAN_READ, input, 60, 80, {.name = "photos", .sample = 1});
    made.span(SLUICE_SPAN_PREPROCESS, input, 80, 118, {.name = "decode", .sample = 1});
    made.tensor("input", 4 << 20, 0, conv, back);
    made.tensor("net/conv2d", 8 << 20, 4 << 20, conv, again);
    made.tensor("net/relu", 8 << 20, 12 << 20, relu, back);
    made.tensor("gradient", 2 << 20, 12 << 20, again, adam);
    made.point(0, "resident_bytes", 1000e6);
    made.point(100, "resident_bytes", 1200e6);
    made.point(200, "resident_bytes", 1100e6);
    Window& raw = made.raw();
    raw.first_step = 1;
    raw.last_step = 2;
    raw.seconds = 0.2;
    raw.began_unix_ns = 1'790'000'000'000'000'000;
    raw.cost = RecordingCost{.seconds = 0.5e-3, .noise = 0.01e-3, .step_seconds = 0.1, .steps = 20};
    raw.peak_flop = 1e12;
    raw.peak_bandwidth = 1e11;
    raw.device = "a CPU";
    return made;
}

// Two steps of 50 ms on a GPU with a stream of kernels and one of copies. The host enqueues ahead of the device, but
// for the first kernel of the second step, which the stream awaits for 18 ms.
inline MadeWindow stream_window() {
    MadeWindow made;
    const std::uint32_t loop = made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t kernels = made.thread(SLUICE_THREAD_STREAM, "stream 7", 0);
    const std::uint32_t copies = made.thread(SLUICE_THREAD_STREAM, "stream 8", 0);
    const std::uint32_t conv = made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 1e12, 1e12, 1e9);
    const std::uint32_t back = made.operation(SLUICE_SPAN_BACKWARD, "net/conv2d", 2e12, 2e12, 2e9);
    made.step(1, 0, 50);
    made.stage("read", 0, 5);
    made.stage("forward", 5, 10);
    made.stage("backward", 10, 15);
    made.stage("device", 15, 45);
    made.stage("output", 45, 50);
    made.step(2, 50, 100);
    made.stage("read", 50, 55);
    made.stage("forward", 55, 60);
    made.stage("device", 60, 95);
    made.stage("output", 95, 100);
    const auto kernel = [&](std::uint64_t number, std::uint32_t kind, std::uint32_t operation, double enqueued,
                            double begin, double end) {
        made.span(kind, loop, enqueued, enqueued + 0.5, {.operation = operation, .correlation = number});
        made.span(kind, kernels, begin, end, {.operation = operation, .correlation = number});
    };
    kernel(1, SLUICE_SPAN_FORWARD, conv, 5, 6.5, 16);
    kernel(2, SLUICE_SPAN_FORWARD, conv, 6, 16.00002, 30);
    kernel(3, SLUICE_SPAN_BACKWARD, back, 10, 30, 40);
    made.span(SLUICE_SPAN_DOWNLOAD, loop, 14, 14.5, {.name = "result", .correlation = 4});
    made.span(SLUICE_SPAN_DOWNLOAD, copies, 40.5, 44.5, {.name = "result", .correlation = 4});
    kernel(5, SLUICE_SPAN_FORWARD, conv, 56, 58, 90);
    kernel(6, SLUICE_SPAN_BACKWARD, back, 57, 92, 93);
    Window& raw = made.raw();
    raw.first_step = 1;
    raw.last_step = 2;
    raw.seconds = 0.1;
    raw.device = "a GPU";
    return made;
}

}  // namespace sluice::profile
