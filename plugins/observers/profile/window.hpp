// A recorded window as the files of profiles need it: checked, with the elements' sizes of this build.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sluice/sdk/profile.hpp"

namespace sluice::observers {

class Window {
public:
    // Texts stay borrowed from `profile`. Throws if a span names a thread that is not there.
    explicit Window(const sluice_profile& profile);

    [[nodiscard]] const sluice_profile& head() const { return profile_.head(); }
    [[nodiscard]] const std::vector<sluice_span>& spans() const { return spans_; }
    [[nodiscard]] const std::vector<sluice_profile_thread>& threads() const { return threads_; }
    [[nodiscard]] const std::vector<sluice_profile_operation>& operations() const { return operations_; }
    [[nodiscard]] const std::vector<sluice_profile_tensor>& tensors() const { return tensors_; }
    [[nodiscard]] const std::vector<sluice_profile_point>& points() const { return points_; }

    // Returns an empty text if `index` names nothing.
    [[nodiscard]] std::string_view name(std::uint32_t index) const { return profile_.name(index); }
    [[nodiscard]] const sluice_profile_thread& thread_of(const sluice_span& span) const {
        return threads_[span.thread];
    }
    // nullptr: the span is not the work of an operation.
    [[nodiscard]] const sluice_profile_operation* operation_of(const sluice_span& span) const;
    [[nodiscard]] bool is_on_stream(const sluice_span& span) const {
        return thread_of(span).kind == SLUICE_THREAD_STREAM;
    }
    [[nodiscard]] bool is_on_loop(const sluice_span& span) const { return thread_of(span).kind == SLUICE_THREAD_LOOP; }
    // The training loop waits for its input: the stages "read" and "preprocess" on its thread.
    [[nodiscard]] bool is_wait_for_input(const sluice_span& span) const;
    // Numbers of the devices whose streams have spans, in ascending order.
    [[nodiscard]] std::vector<std::uint32_t> devices() const;

private:
    void find_steps_of_streams();

    sdk::Profile profile_;
    std::vector<sluice_span> spans_;
    std::vector<sluice_profile_thread> threads_;
    std::vector<sluice_profile_operation> operations_;
    std::vector<sluice_profile_tensor> tensors_;
    std::vector<sluice_profile_point> points_;
};

inline std::int64_t end_of(const sluice_span& span) { return span.begin_ns + span.duration_ns; }

}  // namespace sluice::observers
