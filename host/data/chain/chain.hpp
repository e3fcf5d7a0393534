// A source and its transforms, ready to make samples. Sample number i of epoch e, where it comes for time r in it, is a
// pure function of (seed, e, i, r): it does not depend on the thread, on other samples, or on the cache.
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
#include "registry/objects/objects.hpp"

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
    std::string name;  // for messages: a file's path
    std::vector<SampleField> fields;
};

// A transform of whole batches, as the map names it. It is opened for the fields of a loader's batches.
struct BatchEntry {
    registry::Component component;
    Table options;
    Origin origin;
    std::uint64_t random_stream = 0;
};

class Chain {
public:
    // `purpose` ("data.train") opens messages and keys the random draws. `{ use = "cache" }` is the host's own
    // stage: what stands before it is made once per sample and kept, `in = "memory"` or `in = "disk"` (its random draws
    // then do not depend on the epoch); at most one, and its `budget` ("2 GiB"; default a quarter of the available
    // memory, or half of the free disk) bounds it (on disk the whole folder): samples beyond are made again each time.
    // Transforms of whole batches stand behind all others, and only where the purpose is training.
    Chain(const config::StreamSpec& spec, const registry::Registry& registry, std::uint64_t seed, std::string purpose);
    ~Chain();

    [[nodiscard]] const std::string& purpose() const;
    [[nodiscard]] std::uint64_t seed() const;
    // Samples in an epoch; at least one.
    [[nodiscard]] std::uint64_t length() const;
    // How often and in which order samples come where they are shuffled.
    [[nodiscard]] const Draws& draws() const;
    // Fields that come out, with -1 where a dimension differs per sample.
    [[nodiscard]] std::span<const registry::Field> fields() const;
    // Of the classes that fields come out with: as the sources tell them, where no transform has written other numbers.
    [[nodiscard]] const ClassNames& class_names() const;
    // What is done to batches of its samples.
    [[nodiscard]] std::span<const BatchEntry> batch_entries() const;
    // Transforms before the cache that say that they draw at random: each sample keeps what they drew for it first.
    [[nodiscard]] std::span<const std::string> drawn_once() const;
    // The stages by name, first the source, last those of batches, for listings.
    [[nodiscard]] std::vector<std::string> stages() const;

    // What one worker thread needs; makes samples one after the other.
    class Worker {
    public:
        explicit Worker(const Chain& chain);
        ~Worker();
        // The sample is valid until the next call, or the end of the Use. `places`: for each of the chain's fields,
        // where its bytes are wanted, or null; what is made there needs no copy, the rest lies elsewhere. A field with
        // a dimension that differs per sample has no place. Throws Error(Exit::data): "data.train: sample 17 (photos/a
        // b.jpg): transform 'decode': the file ends in the middle (...)". `repeat`: which of the sample's times in the
        // epoch it is; each has draws of its own, but for what stands before a cache.
        const Sample& make(std::uint64_t epoch, std::uint64_t index, std::span<std::uint8_t* const> places = {},
                           std::uint64_t repeat = 0);
        // At its end the memory of a large sample is free for those of other threads, which may wait for that. Where
        // several threads make samples of a chain, each has one from before make() until it is done with the sample.
        class Use {
        public:
            explicit Use(Worker& worker) : worker_(worker) {}
            ~Use() { worker_.end_turn(); }
            Use(const Use&) = delete;
            Use& operator=(const Use&) = delete;

        private:
            Worker& worker_;
        };
        // By stage, as Chain::stages() names them, without those of batches; a transform that is pushed below another
        // is done in that one's time.
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
