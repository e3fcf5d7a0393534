// Sources and their transforms, ready to make samples. A sample is a pure function of (seed, epoch, index, repeat),
// where `repeat` counts its occurrences in the epoch. It does not depend on the thread, on other samples, or on whether
// the cache had it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/tensor_view.hpp"
#include "config/spec.hpp"
#include "data/chain/class_names.hpp"
#include "data/chain/sampling.hpp"
#include "data/chain/stage_times.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/field.hpp"

namespace sluice::data {

struct NamedTensor {
    std::string name;
    std::int32_t role = 0;
    HostTensor tensor;
};

struct SampleField {
    std::string name;
    std::int32_t role = 0;
    TensorView tensor;
};

struct Sample {
    std::string name;  // for messages, such as a file's path
    std::vector<SampleField> fields;
};

// An entry of the map that is a transform of whole batches. The loader opens it for the fields of its batches.
struct BatchEntry {
    registry::Component component;
    Table options;
    Origin origin;
    std::uint64_t random_stream = 0;
};

class Chain {
public:
    // `purpose` ("data.train") opens messages and keys the random draws.
    // `{ use = "cache" }` is the host's built-in stage. The stages before it run once per sample, and the result is
    // kept with `in = "memory"` or `in = "disk"`; random draws before it therefore do not depend on the epoch. A chain
    // has at most one cache. Its `budget` ("2 GiB"; default: a quarter of the available memory, or half of the free
    // disk) limits it, on disk together with the rest of the folder. Samples that do not fit are made again in every
    // epoch. Transforms of whole batches follow all other transforms and are allowed only in data.train.
    Chain(const config::StreamSpec& spec, const registry::Registry& registry, std::uint64_t seed, std::string purpose);
    ~Chain();

    [[nodiscard]] const std::string& purpose() const;
    [[nodiscard]] std::uint64_t seed() const;
    // Samples in an epoch; at least one.
    [[nodiscard]] std::uint64_t length() const;
    // Returns how often and in which order samples come if they are shuffled.
    [[nodiscard]] const Draws& draws() const;
    // The fields of a sample; -1 for a dimension that differs per sample.
    [[nodiscard]] std::span<const registry::Field> fields() const;
    // Class names of the fields, as the sources give them; none for a field that a transform may have renumbered.
    [[nodiscard]] const ClassNames& class_names() const;
    // The transforms of whole batches.
    [[nodiscard]] std::span<const BatchEntry> batch_entries() const;
    // Random transforms before the cache. The cache keeps their first result for a sample in all epochs.
    [[nodiscard]] std::span<const std::string> drawn_once() const;
    // The names of the stages, for listings: first the source, last the transforms of whole batches.
    [[nodiscard]] std::vector<std::string> stages() const;

    // Makes samples one after the other. Each worker thread has its own Worker.
    class Worker {
    public:
        explicit Worker(const Chain& chain);
        ~Worker();
        // Returns a sample that is valid until the next call, or until the Use ends.
        // `places`: for each of the chain's fields, the address that its bytes should be written to, or null. A field
        // with a dimension that differs per sample has no place. The worker may return a field elsewhere: copy it then.
        // `repeat`: the number of the sample's occurrence in the epoch. Each has its own random draws, except in stages
        // before a cache.
        // Throws Error(Exit::data): "data.train: sample 17 (photos/a b.jpg): transform 'decode': the file ends in the
        // middle (...)".
        const Sample& make(std::uint64_t epoch, std::uint64_t index, std::span<std::uint8_t* const> places = {},
                           std::uint64_t repeat = 0);
        // Marks the time in which a thread uses a sample. Its destructor releases the memory of a large sample, for
        // which other threads may be waiting. If several threads make samples of one chain, each needs a Use from
        // before make() until it is done with the sample.
        class Use {
        public:
            explicit Use(Worker& worker) : worker_(worker) {}
            ~Use() { worker_.end_turn(); }
            Use(const Use&) = delete;
            Use& operator=(const Use&) = delete;

        private:
            Worker& worker_;
        };
        // Times by stage, in the order of Chain::stages() without the transforms of whole batches. The time of a
        // pushed-down transform counts for the stage before it.
        [[nodiscard]] const StageTimes& times() const;

    private:
        void end_turn();

        struct State;
        std::unique_ptr<State> state_;
    };

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::data
