#include "streams.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "failure.hpp"

namespace emulated {
namespace {

void expect_intact(const Recording& recording) {
    if (recording.is_broken) {
        fail(cudaErrorStreamCaptureInvalidated, "an earlier call could not be captured");
    }
}

void join(std::vector<std::size_t>& nodes, const std::vector<std::size_t>& more) {
    nodes.insert(nodes.end(), more.begin(), more.end());
    std::ranges::sort(nodes);
    const auto twice = std::ranges::unique(nodes);
    nodes.erase(twice.begin(), twice.end());
}

}  // namespace

void Graph::run(bool last_first) const {
    std::vector<bool> has_run(nodes.size());
    const auto is_ready = [&](std::size_t n) {
        return !has_run[n] && std::ranges::all_of(nodes[n].after, [&](std::size_t before) { return has_run[before]; });
    };
    for (std::size_t count = 0; count < nodes.size(); ++count) {
        std::size_t next = last_first ? nodes.size() - 1 : 0;
        while (!is_ready(next)) {
            next = last_first ? next - 1 : next + 1;
        }
        nodes[next].work();
        has_run[next] = true;
    }
}

bool Graph::all_lead_to(const std::vector<std::size_t>& last) const {
    std::vector<bool> leads(nodes.size());
    for (const std::size_t n : last) {
        leads[n] = true;
    }
    for (std::size_t n = nodes.size(); n-- > 0;) {
        if (!leads[n]) {
            return false;
        }
        for (const std::size_t before : nodes[n].after) {
            leads[before] = true;
        }
    }
    return true;
}

Streams::Streams(MachineLock& lock, Activities& activities) : lock_(lock), activities_(activities) { create(0, false); }

Stream* Streams::create(int device, bool waits_for_default) {
    streams_.push_back(std::make_shared<Stream>(Stream{device, waits_for_default, {}, {}, {}, {}, 0, ++made_}));
    return streams_.back().get();
}

void Streams::destroy(Stream* stream) {
    run_all(get(stream));
    std::erase_if(streams_, [&](const auto& one) { return one.get() == stream; });
}

Stream& Streams::get(Stream* stream) {
    if (stream == nullptr) {
        return *streams_.front();
    }
    if (std::ranges::none_of(streams_, [&](const auto& one) { return one.get() == stream; })) {
        fail(cudaErrorInvalidResourceHandle, "there is no such stream");
    }
    return *stream;
}

void Streams::put(Stream& stream, Work work) {
    if (stream.recording) {
        expect_intact(*stream.recording);
        std::vector<Graph::Node>& nodes = stream.recording->graph.nodes;
        nodes.push_back({std::move(work), stream.last});
        stream.last = {nodes.size() - 1};
        return;
    }
    if (&stream == streams_.front().get()) {
        for (const auto& other : streams_) {
            if (other->waits_for_default) {
                run_all(*other);
            }
        }
    } else if (stream.waits_for_default) {
        run_all(*streams_.front());
    }
    stream.work.push_back(activities_.of_call(std::move(work), stream.device, stream.number));
}

void Streams::put_waiting(Stream& stream, Work work) {
    if (stream.recording) {
        stream.recording->graph.waits_for_others = true;
        put(stream, std::move(work));
    } else {
        auto& meetings = waiting_work_.try_emplace(stream.device, std::make_shared<char>()).first->second;
        put(stream, [work = std::move(work), share = meetings] { work(); });
    }
}

void Streams::record(Event& event, Stream& stream) {
    if (event.device != stream.device) {
        fail(cudaErrorInvalidResourceHandle, "the event and the stream belong to different devices");
    }
    event.is_recorded_in_graph = stream.recording != nullptr;
    event.recording = stream.recording;
    event.last = stream.last;
    event.mark = nullptr;
    if (stream.recording) {
        expect_intact(*stream.recording);
        return;
    }
    event.mark = std::make_shared<Mark>(Mark{&stream, false, {}});
    put(stream, [mark = event.mark] {
        mark->has_passed = true;
        mark->at = std::chrono::steady_clock::now();
    });
}

void Streams::wait_for(Stream& stream, const Event& event) {
    if (!event.is_recorded_in_graph) {
        if (stream.recording && event.mark != nullptr) {
            stream.recording->is_broken = true;
            fail(cudaErrorStreamCaptureIsolation, "a stream that is captured waits for work that is not");
        }
        if (event.mark != nullptr) {
            put(stream, [this, mark = event.mark] { run_until(*mark); });
        }
        return;
    }
    const std::shared_ptr<Recording> recording = event.recording.lock();
    if (!recording) {
        fail(cudaErrorCapturedEvent, "the event belongs to a capture that has ended");
    }
    expect_intact(*recording);
    if (stream.recording && stream.recording != recording) {
        recording->is_broken = true;
        stream.recording->is_broken = true;
        fail(cudaErrorStreamCaptureMerge, "two captures would become one");
    }
    stream.recording = recording;
    join(stream.last, event.last);
}

void Streams::run_next(Stream& stream) {
    lock_.wait([&] { return !stream.is_busy(); });
    if (stream.work.empty()) {
        return;
    }
    const Work work = std::move(stream.work.front());
    stream.work.pop_front();
    const std::thread::id outer = std::exchange(stream.runs, std::this_thread::get_id());
    try {
        work();
    } catch (...) {
        stream.runs = outer;
        throw;
    }
    stream.runs = outer;
    lock_.moved.notify_all();
}

void Streams::run_all(Stream& stream) {
    while (!stream.work.empty() || stream.is_busy()) {
        run_next(stream);
    }
}

void Streams::run_until(const Mark& mark) {
    while (!mark.has_passed && (!mark.stream->work.empty() || mark.stream->is_busy())) {
        lock_.wait([&] { return mark.has_passed || !mark.stream->is_busy(); });
        if (!mark.has_passed) {
            run_next(*mark.stream);
        }
    }
}

void Streams::run_everything(int device) {
    std::vector<std::shared_ptr<Stream>> own;
    std::ranges::copy_if(streams_, std::back_inserter(own), [&](const auto& one) { return one->device == device; });
    if (++turn_ % 2 == 0) {
        std::ranges::reverse(own);
    }
    std::ranges::for_each(own, [&](const auto& stream) { run_all(*stream); });
}

void Streams::forget_everything() {
    for (const auto& stream : streams_) {
        stream->work.clear();
    }
}

}  // namespace emulated
