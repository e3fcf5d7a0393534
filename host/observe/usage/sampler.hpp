// Samples what a run uses of the machine, once a second, on a thread of its own: into usage.csv, and as events.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "observe/bus.hpp"
#include "registry/objects/device.hpp"

namespace sluice::observe {

struct SampledRun {
    std::filesystem::path file;                      // usage.csv; empty: none is written
    Bus* bus = nullptr;                              // gets SLUICE_EVENT_USAGE, if an observer wants it; not null
    std::function<std::uint64_t()> batches_ready{};  // by the loader; [any thread]; may be empty
    std::vector<std::shared_ptr<const registry::Device>> devices{};
    std::chrono::milliseconds interval = std::chrono::seconds(1);
};

class Sampler {
public:
    // Starts the thread, which sleeps until begin(). Make it before a plugin may pin threads to cores.
    Sampler();
    // Does what end() does.
    ~Sampler();
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    // Call it once. All that `run` refers to must outlive end().
    void begin(SampledRun run);
    // Takes a last sample, and logs what sampling cost. If the driver of a device does not return its usage, the thread
    // and its data stay allocated. Throws nothing. Does nothing if it was called before.
    void end();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace sluice::observe
