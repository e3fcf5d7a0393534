#include "profile/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "profile/operation_table.hpp"

namespace sluice::profile {
namespace {

// An input thread that pauses for longer than this before a span waited for room, which the loop makes.
constexpr double kPause = 100e-6;
constexpr double kJoin = 1e-6;  // steps that are further apart have something else between them

constexpr std::size_t kNoSpan = static_cast<std::size_t>(-1);

std::string_view path_cause_of_stage(std::string_view stage) {
    static const std::unordered_map<std::string_view, std::string_view> causes{
        {"read", "input"},        {"preprocess", "input"}, {"upload", "copy"},      {"download", "copy"},
        {"forward", "launch"},    {"backward", "launch"},  {"optimizer", "launch"}, {"device", "launch"},
        {"exchange", "exchange"}, {"output", "output"},    {"storage", "storage"}};
    const auto found = causes.find(stage);
    return found == causes.end() ? "other" : found->second;
}

// An empty text: the stage decides.
std::string_view path_cause_of_kind(std::uint32_t kind) {
    switch (kind) {
        case SLUICE_SPAN_FORWARD:
        case SLUICE_SPAN_RECOMPUTE:
        case SLUICE_SPAN_BACKWARD:
        case SLUICE_SPAN_OPTIMIZER:
        case SLUICE_SPAN_KERNEL:
            return "compute";
        case SLUICE_SPAN_READ:
        case SLUICE_SPAN_PREPROCESS:
        case SLUICE_SPAN_INPUT_WAIT:
            return "input";
        case SLUICE_SPAN_UPLOAD:
        case SLUICE_SPAN_DOWNLOAD:
            return "copy";
        case SLUICE_SPAN_EXCHANGE:
            return "exchange";
        case SLUICE_SPAN_OBSERVER:
            return "output";
        case SLUICE_SPAN_STORAGE:
            return "storage";
        default:
            return "";
    }
}

std::string_view verb_of(std::uint32_t kind) {
    switch (kind) {
        case SLUICE_SPAN_READ:
            return "read";
        case SLUICE_SPAN_PREPROCESS:
            return "transform";
        case SLUICE_SPAN_INPUT_WAIT:
            return "wait for a batch";
        case SLUICE_SPAN_UPLOAD:
            return "upload";
        case SLUICE_SPAN_DOWNLOAD:
            return "download";
        case SLUICE_SPAN_EXCHANGE:
            return "exchange";
        case SLUICE_SPAN_OBSERVER:
            return "observer";
        case SLUICE_SPAN_STORAGE:
            return "write";
        case SLUICE_SPAN_ALLOCATION:
            return "allocate";
        case SLUICE_SPAN_RELEASE:
            return "release";
        case SLUICE_SPAN_EVALUATION:
            return "evaluation";
        default:
            return direction_of(kind);
    }
}

std::string what_of(const Window& window, const WindowSpan& span) {
    const std::string& name =
        span.operation < window.operations.size() ? window.operations[span.operation].path : name_of(window, span);
    const std::string_view verb = verb_of(span.kind);
    return name.empty() ? std::string(verb) : verb.empty() ? name : fmt::format("{} {}", verb, name);
}

// Spans by the time of their end.
class Ends {
public:
    Ends(const Window& window, bool (*selects)(const Window&, const WindowSpan&)) : window_(&window) {
        for (std::size_t i = 0; i < window.spans.size(); ++i) {
            if (window.spans[i].seconds > kTick && selects(window, window.spans[i])) {
                spans_.push_back(i);
            }
        }
        std::ranges::stable_sort(spans_, {}, [&](std::size_t i) { return window.spans[i].end(); });
    }
    // Returns the span that ended last, at `time` or before, and for which `accepts` is true, if it ended after
    // `since`; else kNoSpan.
    template <class Accepts>
    [[nodiscard]] std::size_t last(double time, double since, const Accepts& accepts) const {
        const auto end_of = [&](std::size_t i) { return window_->spans[i].end(); };
        auto after = std::ranges::upper_bound(spans_, time + kTick, {}, end_of);
        while (after != spans_.begin()) {
            --after;
            if (end_of(*after) <= since) {
                break;
            }
            if (window_->spans[*after].begin < time - kTick && accepts(*after)) {
                return *after;
            }
        }
        return kNoSpan;
    }
    [[nodiscard]] std::size_t last(double time, double since) const {
        return last(time, since, [](std::size_t) { return true; });
    }
    // Returns a span of the thread that began before `time` and ends after it; kNoSpan: there is none.
    [[nodiscard]] std::size_t running(double time, std::uint32_t thread) const {
        constexpr std::ptrdiff_t kMostLooked = 16;  // few spans overlap
        const auto end_of = [&](std::size_t i) { return window_->spans[i].end(); };
        auto after = std::ranges::upper_bound(spans_, time + kTick, {}, end_of);
        for (std::ptrdiff_t looked = 0; looked < kMostLooked && after != spans_.end(); ++looked, ++after) {
            if (window_->spans[*after].thread == thread && window_->spans[*after].begin < time - kTick) {
                return *after;
            }
        }
        return kNoSpan;
    }
    [[nodiscard]] bool empty() const { return spans_.empty(); }

private:
    const Window* window_;
    std::vector<std::size_t> spans_;
};

// Follows the path backwards.
class PathWalk {
public:
    PathWalk(const Window& window, const StepTimes& times)
        : window_(window),
          loop_(times.loop),
          stages_(pieces_of(
              window,
              [&](const WindowSpan& span) { return span.thread == times.loop && span.kind == SLUICE_SPAN_STAGE; })),
          input_(window,
                 [](const Window& all, const WindowSpan& span) {
                     return is_input(span) && all.threads[span.thread].kind == SLUICE_THREAD_INPUT;
                 }),
          streams_(window, [](const Window& all, const WindowSpan& span) {
              return all.threads[span.thread].kind == SLUICE_THREAD_STREAM;
          }) {
        const std::uint32_t computing = first_replica();
        activities_ = pieces_of(window, [&](const WindowSpan& span) {
            return (span.thread == times.loop || span.thread == computing) && span.kind != SLUICE_SPAN_STEP &&
                   span.kind != SLUICE_SPAN_STAGE;
        });
        for (const WindowSpan& span : window.spans) {
            if (span.correlation != 0 && window.threads[span.thread].kind != SLUICE_THREAD_STREAM) {
                enqueued_.emplace(span.correlation, span.begin);
            }
        }
    }

    // Appends the segments of [begin, end), latest first.
    void follow(double begin, double end, std::vector<PathSegment>& path) {
        begin_ = begin;
        time_ = end;
        span_ = kNoSpan;
        while (time_ > begin_ + kTick) {
            if (span_ == kNoSpan) {
                follow_loop(path);
            } else if (is_input(window_.spans[span_])) {
                follow_input(path);
            } else {
                follow_stream(path);
            }
        }
    }

private:
    // The loop records no launches if a thread of its own computes for the first replica.
    [[nodiscard]] std::uint32_t first_replica() const {
        const std::vector<std::uint32_t> threads = counted_threads(window_);
        return threads.empty() || window_.threads[threads.front()].kind == SLUICE_THREAD_STREAM ? loop_
                                                                                                : threads.front();
    }

    void add(std::uint32_t thread, std::string_view cause, std::string what, double begin,
             std::vector<PathSegment>& path) {
        const double from = std::max(begin, begin_);
        const bool goes_on = !path.empty() && path.back().thread == thread && path.back().cause == cause &&
                             path.back().what == what && path.back().begin <= time_ + kTick;
        if (time_ > from && goes_on) {
            path.back().seconds += path.back().begin - from;
            path.back().begin = from;
        } else if (time_ > from) {
            path.push_back({thread, std::string(cause), std::move(what), from, time_ - from});
        }
        time_ = std::min(time_, from);
    }

    [[nodiscard]] const std::string& stage_name(const Piece& stage) const {
        return name_of(window_, window_.spans[stage.span]);
    }
    // Returns the begin of the loop's wait, whose stages are all of `cause`.
    [[nodiscard]] double begin_of_wait(const Piece& last, bool (*waits)(std::string_view)) const {
        const Piece* first = &last;
        while (first != stages_.data() && waits(stage_name(*std::prev(first))) &&
               std::prev(first)->end >= first->begin - kJoin) {
            --first;
        }
        return first->begin;
    }
    static bool waits_for_input(std::string_view stage) { return stage == "read" || stage == "preprocess"; }
    static bool waits_for_device(std::string_view stage) { return stage == "device" || stage == "download"; }

    void follow_loop(std::vector<PathSegment>& path) {
        const Piece* const stage = last_before(stages_, time_);
        const bool in_stage = stage != nullptr && stage->end >= time_ - kTick;
        double since = stage == nullptr ? begin_ : in_stage ? stage->begin : stage->end;
        const Piece* activity = last_before(activities_, time_);
        const bool is_active = activity != nullptr && activity->end >= time_ - kTick;
        if (activity != nullptr) {
            since = std::max(since, is_active ? activity->begin : activity->end);
        }
        const WindowSpan* const active = is_active ? &window_.spans[activity->span] : nullptr;
        if (in_stage && waits_for_input(stage_name(*stage)) && (active == nullptr || !is_input(*active))) {
            const double wait = begin_of_wait(*stage, waits_for_input);
            if (!go_to(input_.last(time_, wait), "input", "hand over a batch", path)) {
                add(loop_, "input", "wait for a batch", std::min(wait, since), path);
            }
            return;
        }
        if (in_stage && !streams_.empty() && waits_for_device(stage_name(*stage)) &&
            go_to(streams_.last(time_, begin_of_wait(*stage, waits_for_device)), "launch", "notice the device's end",
                  path)) {
            return;
        }
        const std::string_view by_kind = active != nullptr ? path_cause_of_kind(active->kind) : "";
        // Launches on the host only enqueue if streams run them.
        const bool enqueues = by_kind == "compute" && !streams_.empty();
        const std::string_view cause = enqueues           ? "launch"
                                       : !by_kind.empty() ? by_kind
                                       : in_stage         ? path_cause_of_stage(stage_name(*stage))
                                                          : "other";
        std::string what = active != nullptr ? what_of(window_, *active)
                           : in_stage        ? stage_name(*stage)
                                             : "not recorded";
        add(active != nullptr ? active->thread : loop_, cause, enqueues ? "enqueue " + what : std::move(what), since,
            path);
    }

    // Goes on at the end of `span`. The time since then belongs to the loop. Returns false if there is no span.
    bool go_to(std::size_t span, std::string_view cause, const char* what, std::vector<PathSegment>& path) {
        if (span == kNoSpan) {
            return false;
        }
        if (const double end = window_.spans[span].end(); end < time_ - kTick) {
            add(loop_, cause, what, end, path);
        }
        span_ = span;
        return true;
    }

    void follow_input(std::vector<PathSegment>& path) {
        const WindowSpan& span = window_.spans[span_];
        add(span.thread, "input", what_of(window_, span), span.begin, path);
        const auto is_of_thread = [&](std::size_t other) { return window_.spans[other].thread == span.thread; };
        const std::size_t before = input_.last(time_, span.begin - kPause, is_of_thread);
        if (before != kNoSpan) {
            add(span.thread, "input", "between samples", window_.spans[before].end(), path);
        }
        span_ = before;
    }

    void follow_stream(std::vector<PathSegment>& path) {
        const WindowSpan& span = window_.spans[span_];
        add(span.thread, path_cause_of_kind(span.kind).empty() ? "compute" : path_cause_of_kind(span.kind),
            what_of(window_, span), span.begin, path);
        // A kernel may begin before the one before it ends.
        const std::size_t running = streams_.running(time_, span.thread);
        const std::size_t before = running != kNoSpan ? running : streams_.last(time_, begin_);
        const double before_end = before == kNoSpan ? begin_ : window_.spans[before].end();
        const auto host = enqueued_.find(span.correlation);
        if (host != enqueued_.end() && host->second > before_end && host->second < time_) {
            add(span.thread, "launch", "from enqueueing to start", host->second, path);
            span_ = kNoSpan;
            return;
        }
        if (before != kNoSpan) {
            add(span.thread, "launch", "between kernels", before_end, path);
        }
        span_ = before;
    }

    const Window& window_;
    std::uint32_t loop_;
    std::vector<Piece> stages_;      // of the loop
    std::vector<Piece> activities_;  // of the loop and the first replica
    Ends input_;
    Ends streams_;
    std::unordered_map<std::uint64_t, double> enqueued_;  // when, by correlation
    double begin_ = 0.0;
    double time_ = 0.0;
    std::size_t span_ = kNoSpan;  // the path is at the end of this span of another thread; kNoSpan: on the loop
};

template <class Key>
std::vector<PathShare> shares_of(const std::vector<PathSegment>& segments, const Key& key) {
    std::vector<PathShare> shares;
    std::unordered_map<std::string, std::size_t> places;
    for (const PathSegment& segment : segments) {
        PathShare share = key(segment);
        const std::string name = fmt::format("{}\n{}\n{}", share.cause, share.what, share.thread);
        const auto [place, is_new] = places.try_emplace(name, shares.size());
        if (is_new) {
            shares.push_back(std::move(share));
        }
        shares[place->second].seconds += segment.seconds;
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &PathShare::seconds);
    return shares;
}

}  // namespace

CriticalPath critical_path(const Window& window, const StepTimes& times) {
    CriticalPath path;
    if (times.steps.empty()) {
        return path;
    }
    PathWalk walk(window, times);
    for (std::size_t last = times.steps.size(); last > 0;) {
        std::size_t first = last - 1;
        while (first > 0 && times.steps[first].begin - times.steps[first - 1].end <= kJoin) {
            --first;
        }
        walk.follow(times.steps[first].begin, times.steps[last - 1].end, path.segments);
        last = first;
    }
    std::ranges::reverse(path.segments);
    for (const PathSegment& segment : path.segments) {
        path.seconds += segment.seconds;
    }
    path.causes = shares_of(path.segments,
                            [](const PathSegment& segment) { return PathShare{.cause = segment.cause, .what = {}}; });
    path.parts = shares_of(path.segments, [](const PathSegment& segment) {
        return PathShare{.cause = segment.cause, .what = segment.what, .thread = segment.thread};
    });
    return path;
}

}  // namespace sluice::profile
