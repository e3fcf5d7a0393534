// The records of a .wandb file, encoded as protocol buffers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "series/mean_series.hpp"

namespace sluice::observers::wandb {

// Names and values as JSON text.
using Items = std::vector<std::pair<std::string, std::string>>;

// As W&B's client writes numbers, also those that JSON lacks: NaN, Infinity and -Infinity.
std::string json_of(double value);

struct RunIdentity {
    std::string id;
    std::string project;
    std::string name;  // for people
    std::string host;
    double start = 0.0;  // seconds since 1970
};

// Encodes records and numbers them, as readers expect. Items must not be empty, except those of a run.
class LogMessages {
public:
    // previous: the number of the last record that the file has.
    explicit LogMessages(std::int64_t previous = 0) : number_(previous) {}
    // The first record of each file: by which version it can be read.
    std::string header();
    std::string run(const RunIdentity& identity, const Items& config);
    std::string config(const Items& items);
    std::string history(std::int64_t step, const Items& items);
    std::string summary(const Items& items);
    // time: seconds since 1970
    std::string stats(double time, const Items& items);
    std::string exit(std::int32_t code, std::int32_t runtime);

private:
    template <class Fill>
    std::string record(std::uint32_t kind, const Fill& fill);

    std::int64_t number_;
};

// A resume has to know this of a record.
struct RecordFacts {
    std::int64_t number = 0;
    std::int64_t step = -1;  // of a history record
    double runtime = 0.0;    // of a history record
    bool is_exit = false;
};
// Throws protozero::exception if the record is damaged.
RecordFacts facts_of(std::string_view record);

}  // namespace sluice::observers::wandb
