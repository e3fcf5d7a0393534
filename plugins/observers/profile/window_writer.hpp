// Base of the observers that turn a recorded window into a file below the run's folder.
#pragma once

#include <filesystem>

#include "profile/waiting_files.hpp"
#include "profile/window.hpp"
#include "sluice/sdk/run.hpp"

namespace sluice::observers {

class WindowWriter : public sdk::Observer {
public:
    // The events besides PROFILE only serve to retry failed writes.
    [[nodiscard]] std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

protected:
    // Adds the window's files to `files`.
    virtual void add(const Window& window, const std::filesystem::path& run_folder, WaitingFiles& files) = 0;

private:
    std::filesystem::path run_folder_;
    WaitingFiles files_;
};

}  // namespace sluice::observers
