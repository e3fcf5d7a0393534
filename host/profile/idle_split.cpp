#include "profile/idle_split.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>

namespace sluice::profile {
namespace {

constexpr std::array<std::string_view, kIdleCauses> kCauseNames{"input",    "copy",    "launch", "exchange",
                                                                "observer", "storage", "other"};
constexpr double kKernelDelay = 30e-9;  // the default of Holistic Trace Analysis

std::optional<IdleCause> cause_of_kind(std::uint32_t kind) {
    switch (kind) {
        case SLUICE_SPAN_READ:
        case SLUICE_SPAN_PREPROCESS:
        case SLUICE_SPAN_INPUT_WAIT:
            return IdleCause::input;
        case SLUICE_SPAN_UPLOAD:
        case SLUICE_SPAN_DOWNLOAD:
            return IdleCause::copy;
        case SLUICE_SPAN_EXCHANGE:
            return IdleCause::exchange;
        case SLUICE_SPAN_OBSERVER:
            return IdleCause::observer;
        case SLUICE_SPAN_STORAGE:
            return IdleCause::storage;
        default:
            return std::nullopt;
    }
}

IdleCause cause_of_stage(std::string_view stage) {
    static const std::unordered_map<std::string_view, IdleCause> causes{
        {"read", IdleCause::input},       {"preprocess", IdleCause::input}, {"upload", IdleCause::copy},
        {"download", IdleCause::copy},    {"forward", IdleCause::launch},   {"backward", IdleCause::launch},
        {"optimizer", IdleCause::launch}, {"device", IdleCause::launch},    {"exchange", IdleCause::exchange},
        {"output", IdleCause::observer},  {"storage", IdleCause::storage}};
    const auto found = causes.find(stage);
    return found == causes.end() ? IdleCause::other : found->second;
}

// Divides idle time by cause.
class Divider {
public:
    Divider(const Window& window, const StepTimes& times)
        : window_(window), stages_(pieces_of(window, [&](const WindowSpan& span) {
              return span.thread == times.loop && span.kind == SLUICE_SPAN_STAGE;
          })) {}

    void begin_thread(std::uint32_t thread) {
        own_ = pieces_of(window_,
                         [&](const WindowSpan& span) { return span.thread == thread && cause_of_kind(span.kind); });
        const bool is_stream = window_.threads[thread].kind == SLUICE_THREAD_STREAM;
        streams_ = pieces_of(window_, [&](const WindowSpan& span) {
            const WindowThread& other = window_.threads[span.thread];
            return is_stream && other.kind == SLUICE_THREAD_STREAM && other.device == window_.threads[thread].device &&
                   cause_of_kind(span.kind);
        });
    }
    void divide(double begin, double end, IdleThread& idle) const {
        visit_parts(own_, begin, end, [&](const Piece* own, double from, double until) {
            if (own != nullptr) {
                count(*cause_of_kind(window_.spans[own->span].kind), until - from, idle);
            } else {
                divide_by_streams(from, until, idle);
            }
        });
    }

private:
    static void count(IdleCause cause, double seconds, IdleThread& idle) {
        idle.seconds[static_cast<std::size_t>(cause)] += seconds;
    }
    void divide_by_streams(double begin, double end, IdleThread& idle) const {
        visit_parts(streams_, begin, end, [&](const Piece* other, double from, double until) {
            if (other != nullptr) {
                count(*cause_of_kind(window_.spans[other->span].kind), until - from, idle);
            } else {
                divide_by_stages(from, until, idle);
            }
        });
    }
    void divide_by_stages(double begin, double end, IdleThread& idle) const {
        visit_parts(stages_, begin, end, [&](const Piece* stage, double from, double until) {
            count(stage == nullptr ? IdleCause::other : cause_of_stage(name_of(window_, window_.spans[stage->span])),
                  until - from, idle);
        });
    }

    const Window& window_;
    std::vector<Piece> stages_;   // of the loop
    std::vector<Piece> own_;      // of the thread
    std::vector<Piece> streams_;  // of the thread's device
};

std::vector<std::uint32_t> computing_threads(const Window& window) {
    std::vector<bool> has_launches(window.threads.size());
    bool has_streams = false;
    for (const WindowSpan& span : window.spans) {
        if (is_launch(span)) {
            has_launches[span.thread] = true;
            has_streams = has_streams || window.threads[span.thread].kind == SLUICE_THREAD_STREAM;
        }
    }
    std::vector<std::uint32_t> threads;
    for (std::uint32_t i = 0; i < window.threads.size(); ++i) {
        if (has_launches[i] && (!has_streams || window.threads[i].kind == SLUICE_THREAD_STREAM)) {
            threads.push_back(i);
        }
    }
    return threads;
}

// Times at which the host began to enqueue, by correlation.
std::unordered_map<std::uint64_t, double> enqueue_times(const Window& window) {
    std::unordered_map<std::uint64_t, double> times;
    for (const WindowSpan& span : window.spans) {
        if (span.correlation != 0 && window.threads[span.thread].kind != SLUICE_THREAD_STREAM) {
            times.emplace(span.correlation, span.begin);
        }
    }
    return times;
}

StreamGaps gaps_of(const Window& window, const StepTimes& times, std::uint32_t stream,
                   const std::unordered_map<std::uint64_t, double>& enqueued) {
    StreamGaps gaps;
    const double steps = static_cast<double>(std::max<std::size_t>(times.steps.size(), 1));
    const std::vector<Piece> pieces = pieces_of(window, [&](const WindowSpan& span) { return span.thread == stream; });
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const double before = pieces[i - 1].end;
        const double gap = pieces[i].begin - before;
        if (gap < kTick) {
            continue;
        }
        const auto host = enqueued.find(window.spans[pieces[i].span].correlation);
        double& cause = host != enqueued.end() && host->second > before ? gaps.host_wait
                        : gap < kKernelDelay                            ? gaps.kernel_wait
                                                                        : gaps.other;
        visit_in_steps(times, before, pieces[i].begin,
                       [&](double begin, double end) { cause += (end - begin) / steps; });
    }
    return gaps;
}

}  // namespace

std::string_view name_of(IdleCause cause) { return kCauseNames[static_cast<std::size_t>(cause)]; }

double IdleThread::idle() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

std::vector<IdleThread> idle_split(const Window& window, const StepTimes& times) {
    std::vector<IdleThread> split;
    Divider divider(window, times);
    const std::unordered_map<std::uint64_t, double> enqueued = enqueue_times(window);
    const double steps = static_cast<double>(std::max<std::size_t>(times.steps.size(), 1));
    for (const std::uint32_t thread : computing_threads(window)) {
        IdleThread& idle = split.emplace_back();
        idle.thread = thread;
        divider.begin_thread(thread);
        const std::vector<Piece> launches =
            pieces_of(window, [&](const WindowSpan& span) { return span.thread == thread && is_launch(span); });
        for (const StepTime& step : times.steps) {
            visit_parts(launches, step.begin, step.end, [&](const Piece* launch, double begin, double end) {
                if (launch != nullptr) {
                    idle.busy += end - begin;
                } else {
                    divider.divide(begin, end, idle);
                }
            });
        }
        idle.busy /= steps;
        for (double& seconds : idle.seconds) {
            seconds /= steps;
        }
        if (window.threads[thread].kind == SLUICE_THREAD_STREAM) {
            idle.gaps = gaps_of(window, times, thread, enqueued);
        }
    }
    return split;
}

}  // namespace sluice::profile
