// Maps a position in an epoch to a sample: in order, shuffled as a whole or in blocks, by weights, and over several
// sources. It is a pure function of (seed, epoch, position), in constant time, or logarithmic with weights.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::data {

// Shuffling that keeps nearby samples close to each other, so that reads stay local. Blocks of consecutive samples are
// shuffled, and then the samples within each group of `together` blocks. `block` 0: all samples are shuffled as one.
struct Blocks {
    std::uint64_t block = 0;     // samples
    std::uint64_t together = 1;  // blocks
};

// One of several sources. Their samples are numbered one source after the other.
struct Part {
    std::uint64_t length = 0;
    double weight = 0.0;  // its share of an epoch, relative to the other sources
};

struct Draws {
    std::uint64_t length = 0;  // samples in an epoch, and in all sources together
    Blocks blocks;
    std::vector<Part> parts;  // empty: each sample once in an epoch
    // Running sums of the samples' weights; null: no weights. A sample of weight w comes length * w / sum times in an
    // epoch, rounded up or down.
    std::shared_ptr<const std::vector<double>> weight_sums;
};

struct Drawn {
    std::uint64_t index = 0;
    // The number of the sample's occurrence in the epoch, from 0; always 0 if no sample comes twice. Occurrences are
    // not numbered by position, which could not be computed in constant time.
    std::uint64_t repeat = 0;
};

class Sampling {
public:
    // `repeated`: only the first samples of epoch 0 are drawn, in all epochs; 0: all are.
    Sampling(Draws draws, std::uint64_t seed, bool shuffle, std::uint64_t repeated = 0);
    // Samples in an epoch.
    [[nodiscard]] std::uint64_t length() const { return draws_.length; }
    // Positions from length() on wrap around. Without shuffling the index is the position, whatever the weights.
    [[nodiscard]] Drawn draw(std::uint64_t epoch, std::uint64_t position) const;
    [[nodiscard]] std::uint64_t index(std::uint64_t epoch, std::uint64_t position) const {
        return draw(epoch, position).index;
    }

private:
    struct Share {
        std::uint64_t first_index;
        std::uint64_t length;
        std::uint64_t first_place;  // in the epoch, before shuffling
        std::uint64_t places;       // in the epoch
    };

    [[nodiscard]] Drawn of_parts(std::uint64_t epoch, std::uint64_t place) const;
    [[nodiscard]] Drawn of_weights(std::uint64_t epoch, std::uint64_t place) const;

    Draws draws_;
    std::uint64_t seed_;
    bool shuffle_;
    std::uint64_t repeated_;
    std::vector<Share> shares_;
};

}  // namespace sluice::data
