// Sheets of samples as PNG files in the run's folder: one row per sample, one column per tensor, and the error.
#pragma once

#include <filesystem>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {

class Images : public sdk::Observer {
public:
    Images(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    std::int64_t count_;
    std::filesystem::path folder_;
};

}  // namespace sluice::observers
