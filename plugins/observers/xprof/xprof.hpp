// Recorded windows as profiles that XProf opens: plugins/profile/steps-A-B/HOST.xplane.pb below the run's folder.
#pragma once

#include "profile/window_writer.hpp"

namespace sluice::observers {

class Xprof : public WindowWriter {
public:
    Xprof(sdk::Host host, sdk::Options options);

protected:
    void add(const Window& window, const std::filesystem::path& run_folder, WaitingFiles& files) override;
};

// The bytes of the file.
std::string xplane_file(const Window& window, std::string_view host);

}  // namespace sluice::observers
