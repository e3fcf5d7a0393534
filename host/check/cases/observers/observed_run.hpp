// The events of a run, and an observer that gets them, for the cases of observers.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/tensor.hpp"
#include "check/cases/observers/lent_window.hpp"
#include "check/contract/cases.hpp"
#include "registry/objects/observer.hpp"

namespace sluice::check {

registry::Observer open_observer(Trial& trial);
// Makes a folder for a run.
std::string run_folder(Trial& trial);
bool is_wanted(const registry::Observer& observer, std::uint32_t kind);
// Returns the answer of on_event(), even if the event is not wanted.
Answer send(const registry::Observer& observer, const sluice_event& event);

// Makes the events of a run as the host sends them. Owns their texts and tensors.
class ObservedRun {
public:
    // `folder` is the run's folder, which exists. Structs of its recorded window are `more` bytes longer than those of
    // this build, as in a newer host.
    explicit ObservedRun(std::string folder, std::size_t more = 0);

    // Calls visit(event) for each event.
    void visit(const std::function<void(const sluice_event&)>& visit);

    sluice_event event(std::uint32_t kind, std::int64_t epoch, std::int64_t step, const std::string& text,
                       std::span<const sluice_scalar> scalars);
    [[nodiscard]] const std::string& folder() const { return folder_; }
    static sluice_scalar scalar(std::string_view name, double value) { return {{name.data(), name.size()}, value}; }

private:
    void visit_epoch(std::int64_t epoch, const std::function<void(const sluice_event&)>& visit);

    std::string folder_;
    std::string text_;
    HostTensor picture_;
    HostTensor weights_;
    Strides picture_strides_{};
    Strides weight_strides_{};
    std::array<sluice_named_tensor, 3> pictures_{};
    std::array<sluice_named_tensor, 2> parameters_{};
    profile::Window window_;
    LentWindow lent_window_;
};

// Cases for recorded windows, defined in observer_windows.cpp.
std::span<const Case> observer_window_cases();

}  // namespace sluice::check
