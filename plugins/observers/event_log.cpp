// events.jsonl: one JSON object on one line for each event.
#include "event_log.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(std::uint32_t kind) {
    switch (kind) {
        case SLUICE_EVENT_RUN_BEGIN:
            return "run_begin";
        case SLUICE_EVENT_STEP:
            return "step";
        case SLUICE_EVENT_EPOCH_END:
            return "epoch_end";
        case SLUICE_EVENT_EVALUATION:
            return "evaluation";
        case SLUICE_EVENT_SAMPLES:
            return "samples";
        case SLUICE_EVENT_CHECKPOINT:
            return "checkpoint";
        case SLUICE_EVENT_RUN_END:
            return "run_end";
        default:
            return "kind_" + std::to_string(kind);
    }
}

// Returns the JSON text of a string or a number.
std::string text_of(const Json& plain) { return plain.dump(-1, ' ', false, Json::error_handler_t::replace); }

// True if the line can be parsed and its step will not run again.
bool is_kept(const std::string& line, std::int64_t first_step) {
    const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto step = object.is_object() ? object.find("step") : object.end();
    return step != object.end() && step->is_number_integer() && step->get<std::int64_t>() <= first_step;
}

}  // namespace

// Builds the line by hand. A JSON object allocates memory in its destructor, which terminates the process if there is
// none.
void EventLog::add(const sluice_event& event) {
    std::string scalars;
    for (std::uint64_t i = 0; i < event.scalar_count; ++i) {
        const sluice_scalar& scalar = event.scalars[i];
        scalars += (i == 0 ? "" : ",") + text_of(sdk::view(scalar.name)) + ":" + text_of(scalar.value);
    }
    const std::string line = "{\"kind\":" + text_of(name_of(event.kind)) + ",\"epoch\":" + std::to_string(event.epoch) +
                             ",\"step\":" + std::to_string(event.step) + ",\"seconds\":" + text_of(event.seconds) +
                             ",\"text\":" + text_of(sdk::view(event.text)) + ",\"scalars\":{" + scalars + "}}\n";
    if (waiting_.size() + line.size() > kMost) {
        ++lost_;
    } else {
        waiting_ += line;
    }
}

void EventLog::write_out() {
    if (!has_begun_) {
        std::string kept;
        if (first_step_ > 0) {
            for (const std::string& line : whole_lines(read_file(file_.path()))) {
                kept += is_kept(line, first_step_) ? line + "\n" : "";
            }
        }
        file_.replace(kept);
        has_begun_ = true;
    }
    if (!waiting_.empty()) {
        file_.append(waiting_);
        waiting_.clear();
    }
}

}  // namespace sluice::observers
