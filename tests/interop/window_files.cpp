// Writes windows that are made by hand by the observers `trace` and `xprof`, for tests by the tools that read them.
//
//     window_files KIND FOLDER     KIND: waiting, computing, waiting-gpu, computing-gpu
//
// window.json has the window itself, with the fields of sluice/kind/profile.h.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sluice/sdk/guard.hpp"
#include "trace/trace.hpp"
#include "unit/plugins/profiles/observer_calls.hpp"
#include "unit/plugins/profiles/recorded_window.hpp"
#include "xprof/xprof.hpp"

namespace {

using sluice::observers::tests::open_observer;
using sluice::observers::tests::RecordedWindow;
using sluice::observers::tests::send;
using sluice::observers::tests::WindowShape;
namespace sdk = sluice::sdk;

// Writes the fields that figures are computed from, in the form of the host's own file of a window.
nlohmann::json json_of(const sluice_profile& profile) {
    nlohmann::json window{{"first_step", profile.first_step}, {"last_step", profile.last_step}, {"rank", profile.rank}};
    for (std::uint64_t i = 0; i < profile.name_count; ++i) {
        window["names"].push_back(sdk::view(profile.names[i]));
    }
    for (std::uint64_t i = 0; i < profile.thread_count; ++i) {
        window["threads"].push_back({{"name", sdk::view(profile.threads[i].name)}, {"kind", profile.threads[i].kind}});
    }
    for (std::uint64_t i = 0; i < profile.operation_count; ++i) {
        const sluice_profile_operation& operation = profile.operations[i];
        window["operations"].push_back(
            {{"path", sdk::view(operation.path)}, {"type", sdk::view(operation.type)}, {"kind", operation.span_kind}});
    }
    const auto index = [](std::uint32_t value) { return value == SLUICE_NONE ? -1 : std::int64_t{value}; };
    nlohmann::json& spans = window["spans"];
    for (std::uint64_t i = 0; i < profile.span_count; ++i) {
        const sluice_span& span = profile.spans[i];
        spans["begin"].push_back(span.begin_ns);
        spans["end"].push_back(span.begin_ns + span.duration_ns);
        spans["kind"].push_back(span.kind);
        spans["thread"].push_back(span.thread);
        spans["name"].push_back(index(span.name));
        spans["operation"].push_back(index(span.operation));
        spans["step"].push_back(span.step);
    }
    return window;
}

template <class Observer>
void write(const std::string& folder, const sluice_profile& profile) {
    const auto observer = open_observer<Observer>();
    send(*observer, SLUICE_EVENT_RUN_BEGIN, folder);
    send(*observer, SLUICE_EVENT_PROFILE, "", &profile);
    send(*observer, SLUICE_EVENT_RUN_END, "finished");
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fputs("usage: window_files KIND FOLDER\n", stderr);
        return 2;
    }
    const std::string kind = words[1];
    WindowShape shape;
    shape.last_step = 24;
    shape.has_stream = kind.ends_with("-gpu");
    if (kind.starts_with("computing")) {
        shape.read = 50'000;
        shape.preprocess = 0;
        shape.upload = 50'000;
        shape.output = 100'000;
    }
    const RecordedWindow window(shape);
    std::filesystem::create_directories(words[2]);
    write<sluice::observers::Trace>(words[2], window.profile());
    write<sluice::observers::Xprof>(words[2], window.profile());
    std::ofstream(std::filesystem::path(words[2]) / "window.json") << json_of(window.profile()).dump() << '\n';
    return 0;
}
