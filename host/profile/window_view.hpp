// The ABI's view of a window.
#pragma once

#include <vector>

#include "profile/window.hpp"
#include "sluice/kind/profile.h"

namespace sluice::profile {

class WindowView {
public:
    // `window` must outlive this object, which is not copied because its view refers to itself.
    explicit WindowView(const Window& window);
    WindowView(const WindowView&) = delete;
    WindowView& operator=(const WindowView&) = delete;
    ~WindowView() = default;

    [[nodiscard]] const sluice_profile& get() const { return view_; }

private:
    std::vector<sluice_span> spans_;
    std::vector<sluice_profile_thread> threads_;
    std::vector<sluice_profile_operation> operations_;
    std::vector<sluice_profile_tensor> tensors_;
    std::vector<sluice_profile_point> points_;
    std::vector<sluice_text> names_;
    sluice_profile view_{};
};

}  // namespace sluice::profile
