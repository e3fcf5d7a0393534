// The records of a .wandb file. Numbers of fields are those of wandb's wandb_internal.proto.
#include "wandb/log_messages.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace sluice::observers::wandb {
namespace {

using protozero::pbf_reader;
using protozero::pbf_writer;

// Fields of Record.
constexpr std::uint32_t kNumber = 1;
constexpr std::uint32_t kHistory = 2;
constexpr std::uint32_t kSummary = 3;
constexpr std::uint32_t kConfig = 5;
constexpr std::uint32_t kStats = 7;
constexpr std::uint32_t kRun = 17;
constexpr std::uint32_t kExit = 18;
constexpr std::uint32_t kHeader = 21;

// Fields of the items of history, summary, config and stats.
constexpr std::uint32_t kKey = 1;
constexpr std::uint32_t kNestedKey = 2;
constexpr std::uint32_t kValueJson = 16;

constexpr const char* kProducer = "0.31.0";     // the version of the client whose records these are
constexpr const char* kMinConsumer = "0.70.0";  // as that client writes
constexpr std::string_view kRuntime = "_runtime";

// A nested key, because the dots of a plain key may be taken for levels.
void add_items(pbf_writer& to, std::uint32_t field, std::uint32_t key, const Items& items) {
    for (const auto& [name, json] : items) {
        pbf_writer item(to, field);
        item.add_string(key, name);
        item.add_string(kValueJson, json);
    }
}

void add_time(pbf_writer& to, std::uint32_t field, double time) {
    const double whole = std::floor(time);
    pbf_writer stamp(to, field);
    stamp.add_int64(1, static_cast<std::int64_t>(whole));
    stamp.add_int32(2, static_cast<std::int32_t>((time - whole) * 1e9));
}

void read_history(pbf_reader history, RecordFacts& facts) {
    facts.step = 0;
    while (history.next()) {
        if (history.tag() == 2) {
            pbf_reader step = history.get_message();
            facts.step = step.next(1) ? step.get_int64() : 0;
        } else if (history.tag() == 1) {
            std::string name;
            std::string json;
            for (pbf_reader item = history.get_message(); item.next();) {
                if (item.tag() == kNestedKey) {
                    name = item.get_string();
                } else if (item.tag() == kValueJson) {
                    json = item.get_string();
                } else {
                    item.skip();
                }
            }
            if (name == kRuntime) {
                facts.runtime = std::strtod(json.c_str(), nullptr);
            }
        } else {
            history.skip();
        }
    }
}

}  // namespace

std::string json_of(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0.0 ? "Infinity" : "-Infinity";
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%.7g", value);
    return text;
}

template <class Fill>
std::string LogMessages::record(std::uint32_t kind, const Fill& fill) {
    std::string message;
    pbf_writer record(message);
    record.add_int64(kNumber, ++number_);
    {
        pbf_writer content(record, kind);
        fill(content);
        content.commit();
    }
    return message;
}

std::string LogMessages::header() {
    return record(kHeader, [](pbf_writer& header) {
        pbf_writer version(header, 1);
        version.add_string(1, kProducer);
        version.add_string(2, kMinConsumer);
    });
}

std::string LogMessages::run(const RunIdentity& identity, const Items& config) {
    return record(kRun, [&](pbf_writer& run) {
        run.add_string(1, identity.id);
        run.add_string(3, identity.project);
        {
            pbf_writer values(run, 4);
            add_items(values, 1, kKey, config);
            values.commit();
        }
        run.add_string(8, identity.name);
        run.add_string(13, identity.host);
        add_time(run, 17, identity.start);
    });
}

std::string LogMessages::config(const Items& items) {
    return record(kConfig, [&](pbf_writer& config) { add_items(config, 1, kKey, items); });
}

std::string LogMessages::history(std::int64_t step, const Items& items) {
    return record(kHistory, [&](pbf_writer& history) {
        add_items(history, 1, kNestedKey, items);
        pbf_writer number(history, 2);
        number.add_int64(1, step);
    });
}

std::string LogMessages::summary(const Items& items) {
    return record(kSummary, [&](pbf_writer& summary) { add_items(summary, 1, kNestedKey, items); });
}

std::string LogMessages::stats(double time, const Items& items) {
    return record(kStats, [&](pbf_writer& stats) {
        add_time(stats, 2, time);
        add_items(stats, 3, kKey, items);
    });
}

std::string LogMessages::exit(std::int32_t code, std::int32_t runtime) {
    return record(kExit, [&](pbf_writer& exit) {
        exit.add_int32(1, code);
        exit.add_int32(2, runtime);
    });
}

RecordFacts facts_of(std::string_view record) {
    RecordFacts facts;
    for (pbf_reader fields(record.data(), record.size()); fields.next();) {
        if (fields.tag() == kNumber) {
            facts.number = fields.get_int64();
        } else if (fields.tag() == kHistory) {
            read_history(fields.get_message(), facts);
        } else {
            facts.is_exit = facts.is_exit || fields.tag() == kExit;
            fields.skip();
        }
    }
    return facts;
}

}  // namespace sluice::observers::wandb
