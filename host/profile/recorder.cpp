#include "profile/recorder.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/clock.hpp"

namespace sluice::profile {

namespace detail {
std::atomic<bool> is_recording{false};
std::atomic<bool> runs_eagerly{false};
}  // namespace detail

namespace {

constexpr std::size_t kMostSpans =
    1 << 17;  // of one thread, about 1,000 steps of 100 launches; memory is touched as it fills
constexpr std::size_t kMostSteps = 1 << 12;
constexpr std::size_t kMostBusy = 1 << 14;  // a step has one for each micro-batch
constexpr std::size_t kMostEndedThreads = 256;

// The spans of one thread. The thread adds them, the loop takes them.
class Track {
public:
    Track() : id_(::gettid()) {}

    void name(std::uint32_t kind, const std::string& name) {
        const std::lock_guard lock(mutex_);
        kind_ = kind;
        name_ = name;
    }
    void add(Span span, std::int64_t step) {
        const std::lock_guard lock(mutex_);
        if (spans_.size() == spans_.capacity()) {
            ++dropped_;
            return;
        }
        if (span.step == 0 && (kind_ == SLUICE_THREAD_LOOP || kind_ == SLUICE_THREAD_COMPUTE)) {
            span.step = step;
        }
        spans_.push_back(span);
    }
    void make_room() {
        const std::lock_guard lock(mutex_);
        spans_.clear();
        spans_.reserve(kMostSpans);
        dropped_ = 0;
    }
    [[nodiscard]] RecordedThread take() {
        const std::lock_guard lock(mutex_);
        return {.name = name_,
                .id = id_,
                .kind = kind_,
                .spans = std::exchange(spans_, {}),
                .dropped = std::exchange(dropped_, 0)};
    }

private:
    std::mutex mutex_;
    std::int64_t id_;
    std::uint32_t kind_ = SLUICE_THREAD_OTHER;
    std::string name_;
    std::vector<Span> spans_;
    std::uint64_t dropped_ = 0;
};

// The tracks of all threads that have recorded or been named. A thread's track outlives it, until the window closes.
class Tracks {
public:
    std::shared_ptr<Track> make() {
        auto track = std::make_shared<Track>();
        const std::lock_guard lock(mutex_);
        drop_ended();
        if (is_recording()) {
            track->make_room();
        }
        tracks_.push_back(track);
        return track;
    }
    void set_loop(const std::shared_ptr<Track>& track) {
        const std::lock_guard lock(mutex_);
        loop_ = track;
    }
    [[nodiscard]] std::shared_ptr<Track> loop() {
        const std::lock_guard lock(mutex_);
        return loop_.lock();
    }
    void open() {
        const std::lock_guard lock(mutex_);
        for (const std::shared_ptr<Track>& track : tracks_) {
            track->make_room();
        }
        steps_.clear();
        steps_.reserve(kMostSteps);
        on_device_.clear();
        on_device_.reserve(kMostBusy);
        detail::is_recording = true;
    }
    [[nodiscard]] RecordedSpans close() {
        detail::is_recording = false;
        const std::lock_guard lock(mutex_);
        RecordedSpans recorded;
        for (const std::shared_ptr<Track>& track : tracks_) {
            RecordedThread thread = track->take();
            if (!thread.spans.empty() || thread.dropped > 0) {
                recorded.threads.push_back(std::move(thread));
            }
        }
        recorded.operations = std::exchange(kept_, {});
        recorded.steps = std::exchange(steps_, {});
        recorded.on_device = std::exchange(on_device_, {});
        return recorded;
    }
    void add_step(const StepBegin& begin) {
        const std::lock_guard lock(mutex_);
        if (steps_.size() < steps_.capacity()) {
            steps_.push_back(begin);
        }
    }
    void add_on_device(const DeviceStages& stages) {
        const std::lock_guard lock(mutex_);
        if (on_device_.size() < on_device_.capacity()) {
            on_device_.push_back(stages);
        }
    }
    void keep(const Operations& operations) {
        const std::lock_guard lock(mutex_);
        if (std::ranges::find(kept_, operations) == kept_.end()) {
            kept_.push_back(operations);
        }
    }

private:
    // Forgets the tracks of threads that have ended, so that a run that starts many threads does not grow.
    void drop_ended() {
        if (!is_recording() && tracks_.size() >= kMostEndedThreads) {
            std::erase_if(tracks_, [](const std::shared_ptr<Track>& track) { return track.use_count() == 1; });
        }
    }

    std::mutex mutex_;
    std::vector<std::shared_ptr<Track>> tracks_;
    std::weak_ptr<Track> loop_;
    std::vector<Operations> kept_;
    std::vector<StepBegin> steps_;
    std::vector<DeviceStages> on_device_;
};

// It is never destroyed, because threads may outlive main().
Tracks& tracks() {
    static auto* const all = new Tracks;
    return *all;
}

std::atomic<std::int64_t> current_step{0};
std::atomic<int> steps_until_replay{0};  // calls of set_step() until run_next_step_eagerly() ends; 0: it has ended

Track& own_track(std::shared_ptr<Track>** place = nullptr) {
    thread_local std::shared_ptr<Track> track;
    if (track == nullptr) {
        track = tracks().make();
    }
    if (place != nullptr) {
        *place = &track;
    }
    return *track;
}

}  // namespace

void name_thread(std::uint32_t kind, const std::string& name) {
    std::shared_ptr<Track>* place = nullptr;
    own_track(&place).name(kind, name);
    if (kind == SLUICE_THREAD_LOOP) {
        tracks().set_loop(*place);
    } else {
        ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
    }
}

void add(Span span) {
    if (is_recording()) {
        own_track().add(span, current_step.load(std::memory_order_relaxed));
    }
}

void add_to_loop(const Span& span) {
    if (is_recording()) {
        if (const std::shared_ptr<Track> track = tracks().loop()) {
            track->add(span, current_step.load(std::memory_order_relaxed));
        }
    }
}

void add_on_device(const DeviceStages& stages) {
    if (is_recording()) {
        tracks().add_on_device(stages);
    }
}

Recording::Recording(std::uint32_t kind, std::string_view name, const Details& details) {
    if (is_recording()) {
        span_ = {.begin = now(), .kind = kind, .name = name, .sample = details.sample, .bytes = details.bytes};
    }
}

Recording::~Recording() {
    if (span_.begin > 0.0) {
        span_.end = now();
        add(span_);
    }
}

void Recorder::open() { tracks().open(); }

void Recorder::set_step(std::int64_t step) {
    current_step.store(step, std::memory_order_relaxed);
    if (steps_until_replay > 0 && --steps_until_replay == 0) {
        detail::runs_eagerly = false;
    }
    if (is_recording()) {
        tracks().add_step({now(), step});
    }
}

std::int64_t Recorder::step() { return current_step.load(std::memory_order_relaxed); }

void Recorder::pause() { detail::is_recording = false; }

void Recorder::resume() { detail::is_recording = true; }

RecordedSpans Recorder::close() { return tracks().close(); }

void Recorder::set_runs_eagerly(bool is_eager) {
    steps_until_replay = 0;
    detail::runs_eagerly = is_eager;
}

void Recorder::run_next_step_eagerly() {
    detail::runs_eagerly = true;
    steps_until_replay = 2;
}

void Recorder::keep(const Operations& operations) { tracks().keep(operations); }

}  // namespace sluice::profile
