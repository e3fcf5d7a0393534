// Pairs of host and device.
#include "trace/launches.hpp"

#include <unordered_map>

namespace sluice::observers {
namespace {

// If a span and one within it have the same correlation, the inner one is the launch.
std::unordered_map<std::uint64_t, std::size_t> shortest_by_correlation(const Window& window) {
    std::unordered_map<std::uint64_t, std::size_t> found;
    const auto& spans = window.spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (spans[i].correlation == 0 || window.is_on_stream(spans[i])) {
            continue;
        }
        const auto [place, is_new] = found.emplace(spans[i].correlation, i);
        if (!is_new && spans[i].duration_ns <= spans[place->second].duration_ns) {
            place->second = i;
        }
    }
    return found;
}

}  // namespace

Launches::Launches(const Window& window) {
    const auto hosts = shortest_by_correlation(window);
    const auto& spans = window.spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (!window.is_on_stream(spans[i])) {
            continue;
        }
        const auto number = static_cast<std::int64_t>(numbers_.size()) + 1;
        numbers_.emplace(i, number);
        if (const auto host = hosts.find(spans[i].correlation); host != hosts.end()) {
            hosts_.emplace(i, host->second);
            calls_[host->second].push_back({0, 0, spans[i].kind, number});
        }
    }
    // The window says when the host span ran, not its calls. They share its time.
    for (auto& [host, calls] : calls_) {
        const std::int64_t share = spans[host].duration_ns / static_cast<std::int64_t>(calls.size());
        for (std::size_t k = 0; k < calls.size(); ++k) {
            calls[k].begin_ns = spans[host].begin_ns + static_cast<std::int64_t>(k) * share;
            calls[k].duration_ns = share;
        }
    }
}

const std::vector<RuntimeCall>& Launches::calls_of(std::size_t index) const {
    static const std::vector<RuntimeCall> kNone;
    const auto found = calls_.find(index);
    return found == calls_.end() ? kNone : found->second;
}

std::size_t Launches::host_span_of(std::size_t index) const {
    const auto found = hosts_.find(index);
    return found == hosts_.end() ? index : found->second;
}

}  // namespace sluice::observers
