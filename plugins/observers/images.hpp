// Sheets of samples as PNG files in the run's folder: one row per sample, one column per tensor, and the error.
// A sheet that cannot be written is kept and retried at later events. The RUN_END event fails if one is still missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {

class Images : public sdk::Observer {
public:
    Images(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    struct Waiting {
        std::filesystem::path file;
        std::string content;
    };

    void add(const sluice_event& samples);
    void drop_old();
    void write_out();

    std::int64_t count_;
    std::filesystem::path folder_;
    std::vector<Waiting> waiting_;  // the oldest first
    std::uint64_t lost_ = 0;        // sheets dropped for lack of room
};

}  // namespace sluice::observers
