#include "missing_files.hpp"

#include "sluice/sdk/guard.hpp"

namespace sluice::shared_files {

void report_missing(const sdk::Host& host, const sdk::Options& options, std::span<const std::string> missing,
                    std::size_t all, const std::string& other_ways) {
    if (missing.empty()) {
        return;
    }
    const std::size_t more = missing.size() - 1;
    const std::string found = missing.front() + (more == 0 ? "" : " (and " + std::to_string(more) + " more)") + "; ";
    if (missing.size() == all) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, found + "every sample lacks a file");
    }
    if (!options.boolean("missing_is_bad")) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, found + other_ways +
                                                  "missing_is_bad = true counts what is missing as bad samples, up "
                                                  "to data.skip_bad");
    }
    host.warn(found + (more == 0 ? "it counts as a bad sample" : "each counts as a bad sample"));
}

}  // namespace sluice::shared_files
