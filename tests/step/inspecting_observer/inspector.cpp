// An observer that can be slower than the run, and that examines the process from inside. At the end it
// writes the number of steps that reached it to steps.txt.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

// Writes the cores that each thread may use to threads.txt, one line per thread, as the kernel lists them.
void list_threads() {
    std::ofstream list("threads.txt");
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(task.path() / "status");
        const std::string label = "Cpus_allowed_list:\t";
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with(label)) {
                list << line.substr(label.size()) << '\n';
            }
        }
    }
}

class Inspector final : public Observer {
public:
    Inspector(Host, Options options) : pause_(options.integer("pause")) {}
    [[nodiscard]] std::uint64_t wants() const noexcept override {
        return 1U << SLUICE_EVENT_STEP | 1U << SLUICE_EVENT_RUN_END;
    }
    void on_event(const sluice_event& event) override {
        if (event.kind == SLUICE_EVENT_RUN_END) {
            std::ofstream("steps.txt") << steps_;
            return;
        }
        ++steps_;
        std::this_thread::sleep_for(pause_);
        if (!listed_) {
            list_threads();
            listed_ = true;
        }
    }

private:
    std::chrono::microseconds pause_;
    std::int64_t steps_ = 0;
    bool listed_ = false;
};

constexpr sluice_component kComponents[] = {component<Inspector>("test.observer.inspector")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
