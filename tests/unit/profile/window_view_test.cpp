// Observers see a window through its view.
#include "profile/window_view.hpp"

#include <gtest/gtest.h>

#include <string>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

std::string text_of(const sluice_text& text) { return {text.ptr, text.len}; }

// Elements are read as a plugin reads them, by the size of an element.
template <class Element>
const Element& element(const Element* first, std::uint64_t size, std::uint64_t index) {
    return *reinterpret_cast<const Element*>(reinterpret_cast<const char*>(first) + index * size);
}

TEST(WindowView, has_all_fields_of_the_window) {
    MadeWindow made = cpu_window();
    Window& raw = made.raw();
    raw.rank = 1;
    raw.ranks = 3;
    raw.dropped_spans = 17;
    raw.spans[2].bytes = 12345;
    const Window window = made.window();
    const WindowView view(window);
    const sluice_profile& seen = view.get();
    EXPECT_EQ(seen.struct_size, sizeof(sluice_profile));
    EXPECT_EQ(seen.first_step, 1);
    EXPECT_EQ(seen.last_step, 2);
    EXPECT_EQ(seen.duration_ns, 200'000'000);
    EXPECT_EQ(seen.began_unix_ns, 1'790'000'000'000'000'000U);
    EXPECT_EQ(seen.rank, 1U);
    EXPECT_EQ(seen.ranks, 3U);
    EXPECT_EQ(seen.dropped_spans, 17U);
    EXPECT_EQ(seen.cost_seconds, 0.5e-3);
    EXPECT_EQ(seen.peak_flop, 1e12);
    EXPECT_EQ(seen.peak_bandwidth, 1e11);
    EXPECT_EQ(text_of(seen.device), "a CPU");

    ASSERT_EQ(seen.span_count, window.spans.size());
    for (std::uint64_t i = 0; i < seen.span_count; ++i) {
        const sluice_span& span = element(seen.spans, seen.span_size, i);
        const WindowSpan& own = window.spans[i];
        EXPECT_NEAR(1e-9 * static_cast<double>(span.begin_ns), own.begin, 0.6e-9);
        EXPECT_NEAR(1e-9 * static_cast<double>(span.begin_ns + span.duration_ns), own.end(), 0.6e-9);
        EXPECT_EQ(span.step, own.step);
        EXPECT_EQ(span.sample, own.sample);
        EXPECT_EQ(span.bytes, own.bytes);
        EXPECT_EQ(span.kind, own.kind);
        EXPECT_EQ(span.thread, own.thread);
        EXPECT_EQ(span.name, own.name);
        EXPECT_EQ(span.operation, own.operation);
        EXPECT_EQ(span.correlation, own.correlation);
    }
    ASSERT_EQ(seen.thread_count, 3U);
    const sluice_profile_thread& thread = element(seen.threads, seen.thread_size, 1);
    EXPECT_EQ(text_of(thread.name), "input 0");
    EXPECT_EQ(thread.id, 101);
    EXPECT_EQ(thread.kind, std::uint32_t{SLUICE_THREAD_INPUT});
    EXPECT_EQ(thread.device, SLUICE_NONE);

    ASSERT_EQ(seen.operation_count, 5U);
    const sluice_profile_operation& operation = element(seen.operations, seen.operation_size, 2);
    EXPECT_EQ(text_of(operation.path), "net/conv2d");
    EXPECT_EQ(text_of(operation.type), "conv2d");
    EXPECT_EQ(text_of(operation.shape), "8x64x64x32");
    EXPECT_EQ(text_of(operation.kernel), "reference");
    EXPECT_EQ(operation.flop, 2e10);
    EXPECT_EQ(operation.done_flop, 1e10);
    EXPECT_EQ(operation.bytes, 2e8);
    EXPECT_EQ(operation.span_kind, std::uint32_t{SLUICE_SPAN_BACKWARD});
    EXPECT_EQ(operation.dtype.bits, 32);

    ASSERT_EQ(seen.tensor_count, 4U);
    const sluice_profile_tensor& tensor = element(seen.tensors, seen.tensor_size, 3);
    EXPECT_EQ(text_of(tensor.name), "gradient");
    EXPECT_EQ(tensor.bytes, 2U << 20);
    EXPECT_EQ(tensor.offset, 12U << 20);
    EXPECT_EQ(tensor.first_operation, 3U);
    EXPECT_EQ(tensor.last_operation, 4U);

    ASSERT_EQ(seen.point_count, 3U);
    const sluice_profile_point& point = element(seen.points, seen.point_size, 1);
    EXPECT_EQ(point.time_ns, 100'000'000);
    EXPECT_EQ(point.value, 1200e6);
    ASSERT_LT(point.name, seen.name_count);
    EXPECT_EQ(text_of(seen.names[point.name]), "resident_bytes");
    EXPECT_EQ(seen.name_count, window.names.size());
}

// Both ends are rounded, so that rounding moves no span out of another one.
TEST(WindowView, keeps_nested_spans_nested) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    for (int i = 1; i < 1000; ++i) {
        const double begin = i * 1.1234567e-3;
        made.span(SLUICE_SPAN_BACKWARD, 0, begin, begin + 1e-3);
        made.span(SLUICE_SPAN_RECOMPUTE, 0, begin + 0.3e-3, begin + 1e-3);
    }
    const Window window = made.window();
    const WindowView view(window);
    for (std::uint64_t i = 0; i < view.get().span_count; i += 2) {
        const sluice_span& outer = view.get().spans[i];
        const sluice_span& inner = view.get().spans[i + 1];
        EXPECT_LE(outer.begin_ns, inner.begin_ns);
        EXPECT_LE(inner.begin_ns + inner.duration_ns, outer.begin_ns + outer.duration_ns) << i;
    }
}

TEST(WindowView, of_an_empty_window) {
    const Window window;
    const WindowView view(window);
    EXPECT_EQ(view.get().span_count, 0U);
    EXPECT_EQ(view.get().name_count, 0U);
    EXPECT_LT(view.get().cost_seconds, 0.0);
}

}  // namespace
}  // namespace sluice::profile
