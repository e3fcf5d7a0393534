// The options of a loader.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::data {

struct LoaderOptions {
    std::int64_t batch = 1;
    std::int64_t workers = 1;   // threads; 0: the caller makes the samples inside next()
    std::int64_t prefetch = 2;  // batches made ahead
    // Upper limits of the autotuner (data/loader/worker_autotuner.hpp). If they exceed `workers` and `prefetch`, it
    // raises both while the caller has to wait and raising helps.
    std::int64_t most_workers = 0;
    std::int64_t most_prefetch = 0;
    // Bytes that prefetched batches may take; 0: no limit. If they have no room for `prefetch` batches and
    // `most_prefetch` is less than `prefetch`, the log reports the lower number.
    std::uint64_t prefetch_bytes = 0;
    std::uint64_t seed = 0;
    bool logs_tuning = true;             // logs the autotuner's workers and prefetch, and why it raised them no further
    bool allows_one_prefetched = false;  // allows one prefetched batch even if it exceeds prefetch_bytes
    bool shuffle = false;
    std::uint64_t repeat_samples = 0;  // only the first samples of the first epoch, again and again; 0: all
    bool leave_out_bad = false;        // bad samples, however many, go to Batch::left_out; skip_bad is ignored then
    bool one_pass = false;             // makes no batch after the end of the epoch until seek()
    // Number of different bad samples that others replace; 0: next() throws at the first.
    std::int64_t skip_bad = 0;
    // Seconds after which the log warns of a batch that does not come, with the stage of each thread; 0: never.
    double stall_seconds = 60.0;
    std::int64_t most_stalls = 0;     // after so many stall_seconds next() throws Error(Exit::data); 0: never
    std::function<bool()> stop{};     // next() polls it while it waits, and throws Stopped if it is true; may be empty
    std::vector<std::string> fields;  // the fields that go into batches; others are not copied
};

}  // namespace sluice::data
