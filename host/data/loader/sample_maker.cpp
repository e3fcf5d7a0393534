#include "data/loader/sample_maker.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>

#include "data/chain/bad_samples.hpp"
#include "data/chain/replacement_search.hpp"

namespace sluice::data {
namespace {

BadSample bad_sample(std::int64_t position, std::uint64_t index, const Error& error) {
    const auto* const its = dynamic_cast<const SampleError*>(&error);
    return {.position = position,
            .index = index,
            .what = error.what(),
            .place = its != nullptr ? its->place() : std::to_string(index),
            .reason = its != nullptr ? its->reason() : error.what()};
}

}  // namespace

SampleMaker::SampleMaker(const Chain& chain, const LoaderOptions& options, BatchQueue& queue)
    : chain_(chain),
      options_(options),
      queue_(queue),
      stages_(chain, options.fields),
      sampling_(chain.draws(), options.seed, options.shuffle, options.repeat_samples) {}

// A thread that waits for room first gives up its sample, because the wanted batch may need the sample's memory. It
// makes the sample again afterwards, with the same bytes.
void SampleMaker::make(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop,
                       const Drawn& drawn) const {
    while (true) {
        std::uint64_t bytes = 0;
        {
            task.slot->find_places(task.position, worker.places);
            const Chain::Worker::Use use(worker.samples);
            const Sample& sample = worker.samples.make(task.epoch, drawn.index, worker.places, drawn.repeat);
            check_labels(readers_, sample, chain_, drawn.index);
            if (queue_.shape(task, sample, bytes)) {
                task.slot->put(task.position, drawn.index, sample);
                return;
            }
        }
        queue_.wait_for_room(task, bytes, stop);
    }
}

void SampleMaker::leave_out(const BatchQueue::Task& task, std::uint64_t index, const Error& error) const {
    if (stages_.count() > 0) {
        throw Error(error.exit(),
                    fmt::format("{}; it cannot be left out, because transforms of whole batches follow", error.what()));
    }
    queue_.leave_out(task, bad_sample(task.position, index, error));
}

void SampleMaker::make_or_replace(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop) const {
    ReplacementSearch search(sampling_, task.epoch, task.epoch_position, options_.skip_bad);
    bool is_made = false;
    while (!is_made) {
        try {
            make(task, worker, stop, search.drawn());
            is_made = true;
        } catch (const Error& error) {
            if (error.exit() == Exit::data && options_.leave_out_bad) {
                return leave_out(task, search.drawn().index, error);
            }
            if (error.exit() != Exit::data || options_.skip_bad == 0) {
                throw;
            }
            search.pass_over(bad_sample(task.position, search.drawn().index, error));
        }
    }
    if (std::vector<BadSample> bad = search.take_bad(); !bad.empty()) {
        queue_.replace(task, std::move(bad));
    }
}

void SampleMaker::perform(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop) const {
    std::exception_ptr failure = task.failure;
    try {
        if (failure == nullptr) {
            make_or_replace(task, worker, stop);
        }
    } catch (...) {
        failure = std::current_exception();
    }
    Batch* const batch = queue_.finish(task, std::move(failure), stages_.count() > 0);
    if (batch == nullptr) {
        return;
    }
    std::exception_ptr batch_failure;
    try {
        worker.batches.apply(*batch);
    } catch (...) {
        batch_failure = std::current_exception();
    }
    queue_.close(task, std::move(batch_failure));
}

}  // namespace sluice::data
