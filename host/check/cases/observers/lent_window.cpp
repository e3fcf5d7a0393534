#include "check/cases/observers/lent_window.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <tuple>

#include "base/tensor.hpp"

namespace sluice::check {
namespace {

constexpr double kStepSeconds = 0.02;
constexpr double kPartSeconds = 0.001;
constexpr std::uint64_t kBegan = 1'700'000'000'000'000'000;
constexpr std::byte kLaterByte{0xE7};

constexpr const char* kSpanNames[] = {"step",     "stage",      "forward", "recompute", "backward", "optimizer",
                                      "read",     "preprocess", "read",    "upload",    "download", "gradients 1 of 1",
                                      "progress", "storage",    "batch",   "batch",     "evaluate", "kernel"};

// Indices of the threads that full_window() has.
enum : std::uint32_t { kLoop, kCompute, kInput, kObservers, kOther, kStream };

std::uint32_t thread_of(std::uint32_t span_kind) {
    switch (span_kind) {
        case SLUICE_SPAN_READ:
        case SLUICE_SPAN_PREPROCESS:
            return kInput;
        case SLUICE_SPAN_OBSERVER:
            return kObservers;
        case SLUICE_SPAN_STORAGE:
            return kOther;
        case SLUICE_SPAN_KERNEL:
            return kStream;
        default:
            return kLoop;
    }
}

bool is_launch(std::uint32_t span_kind) {
    return span_kind >= SLUICE_SPAN_FORWARD && span_kind <= SLUICE_SPAN_OPTIMIZER;
}

void add_threads(profile::Window& window) {
    window.threads = {{"training loop", 1001, SLUICE_THREAD_LOOP}, {"compute 1", 1002, SLUICE_THREAD_COMPUTE},
                      {"loader 1", 1003, SLUICE_THREAD_INPUT},     {"observers", 1004, SLUICE_THREAD_OBSERVER},
                      {"checkpoints", 1005, SLUICE_THREAD_OTHER},  {"stream 1", 1, SLUICE_THREAD_STREAM, 0}};
}

void add_operations(profile::Window& window) {
    for (std::uint32_t kind = SLUICE_SPAN_FORWARD; kind <= SLUICE_SPAN_OPTIMIZER; ++kind) {
        window.operations.push_back({.path = "residual/1/conv2d",
                                     .type = "conv2d+relu",
                                     .shape = "8x32x32x3, 8x3x3x3",
                                     .kernel = "reference",
                                     .flop = 1e6 * kind,
                                     .done_flop = 5e5 * kind,
                                     .bytes = 1e5,
                                     .kind = kind,
                                     .dtype = kFloat32});
    }
    window.operations.push_back(
        {.path = "copy<float, 4>", .type = {}, .shape = {}, .kernel = "copy<float, 4>", .kind = SLUICE_SPAN_KERNEL});
    window.tensors = {{"input", 24576, 0, 0, 2}, {"residual/1/conv2d", 65536, 24576, 0, 3}};
}

// Work on the stream begins after its launch, which has the same correlation.
void add_work(profile::Window& window, const profile::WindowSpan& launch) {
    profile::WindowSpan work = launch;
    work.begin += 0.5 * kPartSeconds;
    work.thread = kStream;
    work.step = 0;
    window.spans.push_back(work);
}

void add_step(profile::Window& window, std::int64_t step) {
    const double begin = static_cast<double>(step - 1) * kStepSeconds;
    window.spans.push_back(
        {.begin = begin, .seconds = kStepSeconds, .kind = SLUICE_SPAN_STEP, .name = SLUICE_SPAN_STEP, .step = step});
    for (std::uint32_t kind = SLUICE_SPAN_FORWARD; kind <= SLUICE_SPAN_KERNEL; ++kind) {
        const std::uint32_t thread = thread_of(kind);
        profile::WindowSpan span{.begin = begin + kind * kPartSeconds,
                                 .seconds = 0.8 * kPartSeconds,
                                 .kind = kind,
                                 .thread = thread,
                                 .name = kind,
                                 .step = thread == kInput ? 0 : step,
                                 .sample = thread == kInput ? step : -1,
                                 .bytes = 4096};
        if (is_launch(kind)) {
            profile::WindowSpan stage = span;
            stage.kind = SLUICE_SPAN_STAGE;
            stage.seconds = 0.9 * kPartSeconds;
            window.spans.push_back(stage);
            span.operation = kind - SLUICE_SPAN_FORWARD;
            span.correlation = static_cast<std::uint64_t>(100 * step) + kind;
            add_work(window, span);
        } else if (kind == SLUICE_SPAN_KERNEL) {
            span.operation = SLUICE_SPAN_OPTIMIZER - SLUICE_SPAN_FORWARD + 1;
        }
        window.spans.push_back(span);
    }
}

void sort(std::vector<profile::WindowSpan>& spans) {
    std::ranges::stable_sort(spans, {}, [](const profile::WindowSpan& span) {
        return std::tuple(span.begin, -span.seconds, span.kind > SLUICE_SPAN_STAGE);
    });
}

}  // namespace

profile::Window full_window() {
    profile::Window window;
    window.first_step = 1;
    window.last_step = 2;
    window.seconds = 2 * kStepSeconds;
    window.began_unix_ns = kBegan;
    window.cost = profile::RecordingCost{.seconds = 1e-4, .noise = 1e-5, .step_seconds = 1e-2, .steps = 20};
    window.peak_flop = 1e11;
    window.peak_bandwidth = 2e10;
    window.device = "a processor";
    window.names.assign(std::begin(kSpanNames), std::end(kSpanNames));
    add_threads(window);
    add_operations(window);
    for (std::int64_t step = window.first_step; step <= window.last_step; ++step) {
        add_step(window, step);
    }
    sort(window.spans);
    for (const char* const name : {"resident_bytes", "arena_bytes", "device_bytes", "cache_bytes", "batch_bytes"}) {
        window.points.push_back({0.0, 1e8, static_cast<std::uint32_t>(window.names.size())});
        window.names.emplace_back(name);
    }
    return window;
}

profile::Window odd_window() {
    profile::Window window;
    window.first_step = window.last_step = 3;
    window.seconds = kStepSeconds;
    window.began_unix_ns = kBegan;
    window.rank = 1;
    window.ranks = 2;
    window.dropped_spans = 7;
    window.threads = {{"", 1, SLUICE_THREAD_LOOP}, {"of \"tomorrow\"\n", 2, 1000}};
    window.spans = {{.seconds = kStepSeconds, .kind = SLUICE_SPAN_STEP, .step = 3},
                    {.begin = kPartSeconds, .seconds = kPartSeconds, .kind = SLUICE_SPAN_FORWARD, .step = 3},
                    {.begin = kPartSeconds, .kind = 1000, .thread = 1},
                    {.begin = 2 * kPartSeconds, .kind = SLUICE_SPAN_ALLOCATION, .thread = 1}};
    window.operations = {
        {.path = "unused, \"odd\"", .type = {}, .shape = {}, .kernel = {}, .flop = -1.0, .kind = 1000}};
    window.tensors = {{"nowhere", 0, 0, SLUICE_NONE, SLUICE_NONE}};
    window.points = {{0.0, 1.0, SLUICE_NONE}};
    return window;
}

profile::Window empty_window() { return {}; }

LentWindow::LentWindow(const profile::Window& window, std::size_t more) : view_(window) {
    sluice_profile head = view_.get();
    head.struct_size += more;
    for (std::uint64_t* const size :
         {&head.span_size, &head.thread_size, &head.operation_size, &head.tensor_size, &head.point_size}) {
        *size += more;
    }
    head.spans = lend(head.spans, head.span_count, head.span_size);
    head.threads = lend(head.threads, head.thread_count, head.thread_size);
    head.operations = lend(head.operations, head.operation_count, head.operation_size);
    head.tensors = lend(head.tensors, head.tensor_count, head.tensor_size);
    head.points = lend(head.points, head.point_count, head.point_size);
    head.names = lend(head.names, head.name_count, sizeof(sluice_text));
    lent_ = lend(&head, 1, head.struct_size);
}

template <class T>
const T* LentWindow::lend(const T* values, std::uint64_t count, std::uint64_t size) {
    const FencedBytes& bytes = memory_.emplace_back(count * size);
    std::fill_n(bytes.data(), count * size, kLaterByte);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::memcpy(bytes.data() + i * size, values + i, sizeof(T));
    }
    return reinterpret_cast<const T*>(bytes.data());
}

}  // namespace sluice::check
