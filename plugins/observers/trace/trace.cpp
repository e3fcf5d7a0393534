// Recorded windows as traces that Perfetto, Chrome and Holistic Trace Analysis read.
#include "trace/trace.hpp"

#include <string>

#include "profile/labels.hpp"
#include "trace/chrome_trace.hpp"

namespace sluice::observers {

Trace::Trace(sdk::Host, sdk::Options) {}

// Each window has a folder of its own, because Holistic Trace Analysis reads the ranks of a training from one folder.
void Trace::add(const Window& window, const std::filesystem::path& run_folder, WaitingFiles& files) {
    const std::string file = "rank-" + std::to_string(window.head().rank) + ".json";
    const bool is_first_rank = window.head().rank == 0;
    files.add(run_folder / "trace" / window_name(window) / file, chrome_trace(window),
              is_first_rank ? run_folder / "trace.json" : std::filesystem::path());
}

}  // namespace sluice::observers
