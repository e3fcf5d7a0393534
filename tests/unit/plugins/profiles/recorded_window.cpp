// A window of some steps of a training, made by hand.
#include "unit/plugins/profiles/recorded_window.hpp"

#include <algorithm>
#include <tuple>

#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::observers::tests {
namespace {

enum Thread : std::uint32_t { kLoop, kLoaderA, kLoaderB, kObservers, kStream };
enum Operation : std::uint32_t { kForward, kForwardLoss, kBackwardLoss, kBackward, kOptimizer };

constexpr std::int64_t kLaunch = 20'000;  // of the host's call, if a stream does the work
constexpr std::int64_t kLoss = 400'000;

}  // namespace

RecordedWindow::RecordedWindow(const WindowShape& shape) : shape_(shape) {
    add_threads();
    add_operations();
    add_tensors();
    std::int64_t begin = 0;
    for (std::int64_t step = shape.first_step; step <= shape.last_step; ++step) {
        add_step(step, begin);
        add_input(step, begin);
        points_.push_back({begin, 1e9 + 1e6 * static_cast<double>(step), name("resident_bytes"), 0});
        begin += step_ns();
    }
    profile_.duration_ns = begin;
    finish();
}

std::int64_t RecordedWindow::step_ns() const {
    return shape_.read + shape_.preprocess + shape_.upload + 3 * shape_.convolution + 2 * kLoss + shape_.optimizer +
           shape_.output;
}

void RecordedWindow::add_threads() {
    threads_ = {{keep("loop"), 4001, SLUICE_THREAD_LOOP, SLUICE_NONE},
                {keep("loader 0"), 4002, SLUICE_THREAD_INPUT, SLUICE_NONE},
                {keep("loader 1"), 4003, SLUICE_THREAD_INPUT, SLUICE_NONE},
                {keep("observers"), 4004, SLUICE_THREAD_OBSERVER, SLUICE_NONE}};
    if (shape_.has_stream) {
        threads_.push_back({keep("Stream #7(Compute)"), 7, SLUICE_THREAD_STREAM, 0});
    }
}

void RecordedWindow::add_operations() {
    const auto add = [this](const char* path, const char* type, std::uint32_t kind, double flop) {
        operations_.push_back({keep(path), keep(type), keep("8x64x64x64, 64x3x3x64"), keep("onednn brgconv"), flop,
                               flop, flop / 10, kind, sdk::kFloat32});
    };
    add("residual/2/conv2d", "conv2d+batch_norm+relu", SLUICE_SPAN_FORWARD, 2e9);
    add("loss", "mean_squared_error", SLUICE_SPAN_FORWARD, 1e6);
    add("loss", "mean_squared_error", SLUICE_SPAN_BACKWARD, 1e6);
    add("residual/2/conv2d", "conv2d+batch_norm+relu", SLUICE_SPAN_BACKWARD, 4e9);
    add("adam", "adam", SLUICE_SPAN_OPTIMIZER, 1e6);
}

void RecordedWindow::add_tensors() {
    tensors_ = {{keep("residual/2/conv2d/output"), 4'000'000, 0, kForward, kBackward},
                {keep("loss/gradient"), 1'000'000, 4'000'000, kForwardLoss, kBackward}};
}

std::int64_t RecordedWindow::duration_of(std::uint32_t operation) const {
    switch (operation) {
        case kForward:
            return shape_.convolution;
        case kBackward:
            return 2 * shape_.convolution;
        case kOptimizer:
            return shape_.optimizer;
        default:
            return kLoss;
    }
}

void RecordedWindow::add_span(sluice_span span) { spans_.push_back(span); }

std::int64_t RecordedWindow::add_stage(const char* text, std::int64_t step, std::int64_t begin, std::int64_t duration) {
    if (duration > 0) {
        add_span({begin, duration, step, -1, 0, SLUICE_SPAN_STAGE, kLoop, name(text), SLUICE_NONE, 0});
    }
    return begin + duration;
}

// Returns the end of the stage. On a stream, the stage ends when all is enqueued.
std::int64_t RecordedWindow::add_launches(const char* stage, std::int64_t step, std::int64_t begin,
                                          const std::vector<std::uint32_t>& operations) {
    std::int64_t at = begin;
    for (const std::uint32_t operation : operations) {
        const std::uint32_t kind = operations_[operation].span_kind;
        const std::int64_t duration = duration_of(operation);
        const std::int64_t on_host = shape_.has_stream ? kLaunch : duration;
        add_span(
            {at, on_host, step, -1, 0, kind, kLoop, SLUICE_NONE, operation, enqueue(at, duration, kind, operation)});
        at += on_host;
    }
    return add_stage(stage, step, begin, at - begin);
}

// Adds the work of the stream, if there is one, and returns its correlation.
std::uint64_t RecordedWindow::enqueue(std::int64_t at, std::int64_t duration, std::uint32_t kind,
                                      std::uint32_t operation) {
    if (!shape_.has_stream) {
        return 0;
    }
    ++correlation_;
    device_ = std::max(device_, at + shape_.lag);
    const std::uint64_t bytes = kind == SLUICE_SPAN_UPLOAD ? 1'572'864 : 0;
    add_span({device_, duration, 0, -1, bytes, kind, kStream, SLUICE_NONE, operation, correlation_});
    device_ += duration;
    return correlation_;
}

void RecordedWindow::add_step(std::int64_t step, std::int64_t begin) {
    add_span({begin, step_ns(), step, -1, 0, SLUICE_SPAN_STEP, kLoop, SLUICE_NONE, SLUICE_NONE, 0});
    std::int64_t at = add_stage("read", step, begin, shape_.read);
    at = add_stage("preprocess", step, at, shape_.preprocess);
    const std::int64_t upload = shape_.has_stream ? kLaunch : shape_.upload;
    add_span({at, upload, step, -1, 1'572'864, SLUICE_SPAN_UPLOAD, kLoop, name("batch"), SLUICE_NONE,
              enqueue(at, shape_.upload, SLUICE_SPAN_UPLOAD, SLUICE_NONE)});
    at = add_stage("upload", step, at, upload);
    at = add_launches("forward", step, at, {kForward, kForwardLoss});
    at = add_launches("backward", step, at, {kBackwardLoss, kBackward});
    at = add_launches("optimizer", step, at, {kOptimizer});
    const std::int64_t output = begin + step_ns() - shape_.output;
    at = add_stage("device", step, at, shape_.has_stream ? output - at : 0);
    add_stage("output", step, at, shape_.output);
    add_span({at + 10'000, 80'000, step, -1, 0, SLUICE_SPAN_OBSERVER, kObservers, name("metrics"), SLUICE_NONE, 0});
    add_span({at + 20'000, 0, step, -1, 65'536, SLUICE_SPAN_ALLOCATION, kLoop, name("sample picture"), SLUICE_NONE, 0});
    add_span({at + 90'000, 0, step, -1, 65'536, SLUICE_SPAN_RELEASE, kLoop, name("sample picture"), SLUICE_NONE, 0});
}

// Loader threads work all the time, for later steps.
void RecordedWindow::add_input(std::int64_t step, std::int64_t begin) {
    const std::int64_t half = step_ns() / 2;
    for (const std::uint32_t thread : {std::uint32_t{kLoaderA}, std::uint32_t{kLoaderB}}) {
        const std::int64_t sample = 2 * step + thread;
        add_span({begin, half, 0, sample, 100'000, SLUICE_SPAN_READ, thread, name("image_pairs"), SLUICE_NONE, 0});
        add_span(
            {begin + half, half, 0, sample, 0, SLUICE_SPAN_PREPROCESS, thread, name("random_crop"), SLUICE_NONE, 0});
    }
}

std::uint32_t RecordedWindow::name(const std::string& text) {
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
        if (sdk::view(names_[i]) == text) {
            return i;
        }
    }
    names_.push_back(keep(text));
    return static_cast<std::uint32_t>(names_.size() - 1);
}

sluice_text RecordedWindow::keep(const std::string& text) {
    texts_.push_back(text);
    return sdk::text_of(texts_.back());
}

void RecordedWindow::finish() {
    std::stable_sort(spans_.begin(), spans_.end(), [](const sluice_span& a, const sluice_span& b) {
        return std::tuple(a.begin_ns, b.duration_ns) < std::tuple(b.begin_ns, a.duration_ns);
    });
    profile_.struct_size = sizeof(profile_);
    profile_.first_step = shape_.first_step;
    profile_.last_step = shape_.last_step;
    profile_.began_unix_ns = 1'790'000'000'000'000'000;
    profile_.rank = shape_.rank;
    profile_.ranks = shape_.ranks;
    profile_.cost_seconds = 1e-4;
    profile_.peak_flop = 1e12;
    profile_.peak_bandwidth = 1e11;
    profile_.device = keep(shape_.has_stream ? "NVIDIA Example GPU" : "Example CPU");
    profile_.spans = spans_.data();
    profile_.span_count = spans_.size();
    profile_.span_size = sizeof(sluice_span);
    profile_.threads = threads_.data();
    profile_.thread_count = threads_.size();
    profile_.thread_size = sizeof(sluice_profile_thread);
    profile_.operations = operations_.data();
    profile_.operation_count = operations_.size();
    profile_.operation_size = sizeof(sluice_profile_operation);
    profile_.tensors = tensors_.data();
    profile_.tensor_count = tensors_.size();
    profile_.tensor_size = sizeof(sluice_profile_tensor);
    profile_.points = points_.data();
    profile_.point_count = points_.size();
    profile_.point_size = sizeof(sluice_profile_point);
    profile_.names = names_.data();
    profile_.name_count = names_.size();
}

}  // namespace sluice::observers::tests
