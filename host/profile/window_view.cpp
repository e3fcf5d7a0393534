#include "profile/window_view.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace sluice::profile {
namespace {

sluice_text lent(const std::string& text) { return {text.data(), text.size()}; }

std::int64_t nanoseconds(double seconds) { return std::llround(1e9 * seconds); }

}  // namespace

WindowView::WindowView(const Window& window) {
    for (const WindowSpan& span : window.spans) {
        // Rounding both ends keeps nested spans nested.
        const std::int64_t begin = nanoseconds(span.begin);
        spans_.push_back({.begin_ns = begin,
                          .duration_ns = nanoseconds(span.end()) - begin,
                          .step = span.step,
                          .sample = span.sample,
                          .bytes = span.bytes,
                          .kind = span.kind,
                          .thread = span.thread,
                          .name = span.name,
                          .operation = span.operation,
                          .correlation = span.correlation});
    }
    for (const WindowThread& thread : window.threads) {
        threads_.push_back({lent(thread.name), thread.id, thread.kind, thread.device});
    }
    for (const Operation& operation : window.operations) {
        operations_.push_back({.path = lent(operation.path),
                               .type = lent(operation.type),
                               .shape = lent(operation.shape),
                               .kernel = lent(operation.kernel),
                               .flop = operation.flop,
                               .done_flop = operation.done_flop,
                               .bytes = operation.bytes,
                               .span_kind = operation.kind,
                               .dtype = operation.dtype});
    }
    for (const ArenaTensor& tensor : window.tensors) {
        tensors_.push_back(
            {lent(tensor.name), tensor.bytes, tensor.offset, tensor.first_operation, tensor.last_operation});
    }
    for (const WindowPoint& point : window.points) {
        points_.push_back({nanoseconds(point.time), point.value, point.name, 0});
    }
    for (const std::string& name : window.names) {
        names_.push_back(lent(name));
    }
    view_ = {.struct_size = sizeof(sluice_profile),
             .first_step = window.first_step,
             .last_step = window.last_step,
             .duration_ns = nanoseconds(window.seconds),
             .began_unix_ns = window.began_unix_ns,
             .rank = window.rank,
             .ranks = window.ranks,
             .dropped_spans = window.dropped_spans,
             .cost_seconds = window.cost ? std::max(0.0, window.cost->seconds) : -1.0,
             .peak_flop = window.peak_flop,
             .peak_bandwidth = window.peak_bandwidth,
             .device = lent(window.device),
             .spans = spans_.data(),
             .span_count = spans_.size(),
             .span_size = sizeof(sluice_span),
             .threads = threads_.data(),
             .thread_count = threads_.size(),
             .thread_size = sizeof(sluice_profile_thread),
             .operations = operations_.data(),
             .operation_count = operations_.size(),
             .operation_size = sizeof(sluice_profile_operation),
             .tensors = tensors_.data(),
             .tensor_count = tensors_.size(),
             .tensor_size = sizeof(sluice_profile_tensor),
             .points = points_.data(),
             .point_count = points_.size(),
             .point_size = sizeof(sluice_profile_point),
             .names = names_.data(),
             .name_count = names_.size()};
}

}  // namespace sluice::profile
