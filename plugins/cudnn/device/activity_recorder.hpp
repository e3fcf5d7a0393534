// Records what the GPUs of this process do, by CUPTI (sluice/kind/device_activity.h).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/cupti.hpp"
#include "sluice/kind/device_activity.h"

namespace sluice::cudnn {

// CUPTI knows one recording of a process, so all GPUs share one recorder. Any thread may call it.
class ActivityRecorder {
public:
    // Takes the first library that can be opened, at the first start(); there is at least one. The recorder must
    // outlive all calls of CUDA.
    explicit ActivityRecorder(std::vector<std::string> libraries) : libraries_(std::move(libraries)) {}
    ActivityRecorder(const ActivityRecorder&) = delete;
    ActivityRecorder& operator=(const ActivityRecorder&) = delete;

    // `gpu` is CUDA's number. Throws sdk::Failure(SLUICE_UNSUPPORTED) with the reason if CUPTI cannot be used.
    void start(int gpu);
    // Reports what the GPU did since start(). Its work must have finished. Throws sdk::Failure.
    void stop(int gpu, const sluice_activity_sink& sink);
    // Forgets what was recorded. Does nothing if the GPU is not recorded.
    void discard(int gpu) noexcept;

private:
    // One moment by both clocks.
    struct Moment {
        std::int64_t cupti = 0;
        std::int64_t host = 0;
    };
    struct Activity {
        std::uint64_t begin, end, bytes;  // times of CUPTI
        std::uint32_t kind, stream, correlation;
        std::string_view name;
    };
    struct Window {
        Moment began;
        std::vector<Activity> activities;
        std::uint64_t dropped = 0;
    };
    using Launch = std::pair<std::uint32_t, std::uint64_t>;  // correlation and CUPTI's time
    struct Recorded {
        Window window;
        std::vector<Launch> launches;
        int status = 0;  // of CUPTI
    };

    static void on_request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
    static void on_complete(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                            std::size_t valid_bytes);
    void open();
    int enable();  // returns the status of CUPTI
    void disable() const noexcept;
    // Takes the GPU's window and, if it is the last one, stops CUPTI. Empty: the GPU is not recorded.
    std::optional<Recorded> end(int gpu);
    [[nodiscard]] Moment now() const;
    void read(std::uint8_t* buffer, std::size_t bytes);
    void add(const Cupti::Record& record);
    void add_kernel(const Cupti::Kernel& kernel);
    void add_transfer(const Cupti::Transfer& transfer);
    void add(std::uint32_t gpu, const Activity& activity);
    void count_dropped(std::uint64_t count);
    std::string_view shown_name(const char* name);

    const std::vector<std::string> libraries_;
    std::mutex calls_;  // held by start() and stop(), and never by CUPTI's calls of this class
    std::optional<Cupti> cupti_;

    std::mutex records_;                       // guards the members below
    std::map<std::uint32_t, Window> windows_;  // by GPU
    std::vector<Launch> launches_;
    std::map<std::string, std::string, std::less<>> names_;  // never removed: by name of the linker
};

}  // namespace sluice::cudnn
