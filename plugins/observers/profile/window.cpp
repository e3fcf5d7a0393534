// A recorded window as the files of profiles need it.
#include "profile/window.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

template <class T>
std::vector<T> copies_of(const sdk::Elements<T>& elements) {
    std::vector<T> copies;
    copies.reserve(elements.size());
    for (const T& element : elements) {
        copies.push_back(element);
    }
    return copies;
}

[[noreturn]] void refuse(const std::string& found, std::uint64_t value, const std::string& right) {
    throw sdk::Failure(SLUICE_INVALID, "the recorded window has " + found + " " + std::to_string(value) + "; " + right);
}

}  // namespace

Window::Window(const sluice_profile& profile)
    : profile_(profile),
      spans_(copies_of(profile_.spans())),
      threads_(copies_of(profile_.threads())),
      operations_(copies_of(profile_.operations())),
      tensors_(copies_of(profile_.tensors())),
      points_(copies_of(profile_.points())) {
    for (const sluice_span& span : spans_) {
        if (span.thread >= threads_.size()) {
            refuse("a span of thread", span.thread, "it has " + std::to_string(threads_.size()) + " threads");
        }
        if (span.duration_ns < 0) {
            refuse("a negative duration at nanosecond", static_cast<std::uint64_t>(span.begin_ns), "spans end later");
        }
    }
    // If two spans have the same times, a stage is around a launch.
    std::stable_sort(spans_.begin(), spans_.end(), [](const sluice_span& a, const sluice_span& b) {
        return std::tuple(a.begin_ns, b.duration_ns, a.kind > SLUICE_SPAN_STAGE) <
               std::tuple(b.begin_ns, a.duration_ns, b.kind > SLUICE_SPAN_STAGE);
    });
    find_steps_of_streams();
}

const sluice_profile_operation* Window::operation_of(const sluice_span& span) const {
    return span.operation < operations_.size() ? &operations_[span.operation] : nullptr;
}

bool Window::is_wait_for_input(const sluice_span& span) const {
    if (span.kind != SLUICE_SPAN_STAGE || !is_on_loop(span)) {
        return false;
    }
    const std::string_view stage = name(span.name);
    return stage == "read" || stage == "preprocess";
}

std::vector<std::uint32_t> Window::devices() const {
    std::set<std::uint32_t> found;
    for (const sluice_span& span : spans_) {
        if (is_on_stream(span)) {
            found.insert(thread_of(span).device);
        }
    }
    return {found.begin(), found.end()};
}

// A device does not know of steps. Its spans belong to the step that enqueued them.
void Window::find_steps_of_streams() {
    std::unordered_map<std::uint64_t, std::int64_t> steps;
    for (const sluice_span& span : spans_) {
        if (span.correlation != 0 && !is_on_stream(span)) {
            steps.emplace(span.correlation, span.step);
        }
    }
    for (sluice_span& span : spans_) {
        if (is_on_stream(span) && span.step == 0 && span.correlation != 0) {
            const auto found = steps.find(span.correlation);
            span.step = found == steps.end() ? 0 : found->second;
        }
    }
}

}  // namespace sluice::observers
