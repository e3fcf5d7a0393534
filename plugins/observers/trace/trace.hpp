// Recorded windows as traces that Perfetto, Chrome and Holistic Trace Analysis read: trace/steps-A-B/rank-R.json, and
// trace.json for the newest window of the first rank.
#pragma once

#include "profile/window_writer.hpp"

namespace sluice::observers {

class Trace : public WindowWriter {
public:
    Trace(sdk::Host host, sdk::Options options);

protected:
    void add(const Window& window, const std::filesystem::path& run_folder, WaitingFiles& files) override;
};

}  // namespace sluice::observers
