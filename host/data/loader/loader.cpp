#include "data/loader/loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/nearest.hpp"
#include "data/loader/batch_ring.hpp"

namespace sluice::data {
namespace {

void check_options(const Chain& chain, const LoaderOptions& options) {
    if (options.batch < 1 || options.workers < 0 || options.prefetch < 0 || options.skip_bad < 0) {
        throw Error(Exit::config, chain.purpose() + ": batch = " + std::to_string(options.batch) +
                                      ", workers = " + std::to_string(options.workers) +
                                      ", prefetch = " + std::to_string(options.prefetch) +
                                      ", skip_bad = " + std::to_string(options.skip_bad) +
                                      "; batch must be at least 1, the others at least 0");
    }
}

// The number of each wanted field in the chain's samples.
std::vector<std::size_t> find_fields(const Chain& chain, std::span<const std::string> wanted) {
    const std::span<const registry::Field> fields = chain.fields();
    std::vector<std::string> names;
    std::ranges::transform(fields, std::back_inserter(names), &registry::Field::name);
    std::vector<std::size_t> numbers;
    for (const std::string& name : wanted) {
        const auto found = std::ranges::find(fields, name, &registry::Field::name);
        if (found == fields.end()) {
            throw Error(Exit::config,
                        chain.purpose() + ": its samples have no field '" + name + "'" + suggestion(name, names));
        }
        if (found->role == SLUICE_FIELD_ENCODED) {
            throw Error(Exit::config, chain.purpose() + ": field '" + name +
                                          "' holds whole JPEG or PNG files, which cannot form a batch; put { use = "
                                          "\"decode\" } into the map");
        }
        if (found->spec.rank >= SLUICE_MAX_RANK) {
            throw Error(Exit::config, chain.purpose() + ": field '" + name + "' is " + to_string(found->spec) +
                                          "; a batch of it would have more than 8 dimensions");
        }
        numbers.push_back(static_cast<std::size_t>(found - fields.begin()));
    }
    return numbers;
}

void warn_of_frozen_draws(const Chain& chain) {
    const std::span<const std::string> names = chain.drawn_once();
    if (!names.empty()) {
        const bool is_one = names.size() == 1;
        log::warn(
            fmt::format("{}: '{}' {} at random and {} before 'cache': each sample is drawn once and is the same in all "
                        "epochs; put {} after the cache if samples should differ",
                        chain.purpose(), fmt::join(names, "', '"), is_one ? "draws" : "draw",
                        is_one ? "stands" : "stand", is_one ? "it" : "them"));
    }
}

}  // namespace

struct Loader::State {
    State(const Chain& chain, const LoaderOptions& options)
        : ring((check_options(chain, options), chain), options, find_fields(chain, options.fields)) {}

    BatchRing ring;
    bool started = false;
};

Loader::Loader(const Chain& chain, const LoaderOptions& options) : state_(std::make_unique<State>(chain, options)) {
    if (!options.one_pass) {
        warn_of_frozen_draws(chain);
    }
}

Loader::~Loader() = default;

std::uint64_t Loader::batches_per_epoch() const { return state_->ring.batches_per_epoch(); }

void Loader::expect_labels(std::vector<registry::LabelReader> readers) {
    state_->ring.expect_labels(std::move(readers));
}

void Loader::make_only(std::function<SampleRange(std::int64_t)> own) { state_->ring.make_only(std::move(own)); }

void Loader::give_way() { state_->ring.give_way(); }

bool Loader::makes_all() const { return state_->ring.makes_all(); }

std::uint64_t Loader::seek(std::uint64_t epoch, std::uint64_t batch_number, const LoaderState& state) {
    const bool goes_on = !state.digest_state.empty() && state.digested < batch_number;
    const std::uint64_t first = goes_on ? state.digested : batch_number;
    state_->ring.restart(epoch * batches_per_epoch() + first, state);
    state_->started = true;
    return batch_number - first;
}

const Batch& Loader::next() {
    if (!state_->started) {
        seek(0, 0);
    }
    return state_->ring.next();
}

std::string Loader::digest() const {
    const EpochDigest* const digest = state_->ring.hashes().digest();
    return digest != nullptr ? digest->text() : "";
}

std::string Loader::own_hashes() const { return state_->ring.hashes().own(); }

void Loader::join_hashes(std::span<const std::string> of_all) { state_->ring.join_hashes(of_all); }

const ClassNames& Loader::class_names() const { return state_->ring.class_names(); }

std::string Loader::order_fingerprint() const { return state_->ring.order_fingerprint(); }

LoaderState Loader::state() const { return state_->ring.state(); }

void Loader::note_pause() { state_->ring.note_pause(); }

std::uint64_t Loader::ready() const { return state_->ring.ready(); }

bool Loader::has_given_up() const { return state_->ring.has_given_up(); }

double Loader::waited() const { return state_->ring.waited(); }

LoaderFigures Loader::figures() const { return state_->ring.figures(); }

}  // namespace sluice::data
