// A recorded window as the files of profiles need it.
#include "profile/window.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

// The host's elements may be longer or shorter than those of this build. What the host does not know is zero.
template <class T>
std::vector<T> copy_elements(const T* first, std::uint64_t count, std::uint64_t size) {
    std::vector<T> copies(count);
    const char* from = reinterpret_cast<const char*>(first);
    for (T& copy : copies) {
        std::memcpy(static_cast<void*>(&copy), from, std::min<std::uint64_t>(size, sizeof(T)));
        from += size;
    }
    return copies;
}

[[noreturn]] void refuse(const std::string& found, std::uint64_t value, const std::string& right) {
    throw sdk::Failure(SLUICE_INVALID, "the recorded window has " + found + " " + std::to_string(value) + "; " + right);
}

}  // namespace

Window::Window(const sluice_profile& profile)
    : head_(sdk::known_part(profile)),
      spans_(copy_elements(head_.spans, head_.span_count, head_.span_size)),
      threads_(copy_elements(head_.threads, head_.thread_count, head_.thread_size)),
      operations_(copy_elements(head_.operations, head_.operation_count, head_.operation_size)),
      tensors_(copy_elements(head_.tensors, head_.tensor_count, head_.tensor_size)),
      points_(copy_elements(head_.points, head_.point_count, head_.point_size)) {
    for (std::uint64_t i = 0; i < head_.name_count; ++i) {
        names_.push_back(sdk::view(head_.names[i]));
    }
    for (const sluice_span& span : spans_) {
        if (span.thread >= threads_.size()) {
            refuse("a span of thread", span.thread, "it has " + std::to_string(threads_.size()) + " threads");
        }
        if (span.duration_ns < 0) {
            refuse("a negative duration at nanosecond", static_cast<std::uint64_t>(span.begin_ns), "spans end later");
        }
    }
    // Of two spans with the same times, a stage is around a launch.
    std::stable_sort(spans_.begin(), spans_.end(), [](const sluice_span& a, const sluice_span& b) {
        return std::tuple(a.begin_ns, b.duration_ns, a.kind > SLUICE_SPAN_STAGE) <
               std::tuple(b.begin_ns, a.duration_ns, b.kind > SLUICE_SPAN_STAGE);
    });
    find_steps_of_streams();
}

std::string_view Window::name(std::uint32_t index) const {
    return index < names_.size() ? names_[index] : std::string_view();
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
