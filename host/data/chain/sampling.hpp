// Which sample stands where in an epoch: in order, in a random order of all or of blocks, by weights, and of several
// sources. A pure function of (seed, epoch, position), in constant time, or logarithmic with weights.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::data {

// Random orders that keep near to each other what lies near each other: blocks of consecutive samples are put into a
// random order, and the samples of so many blocks that follow each other are mixed. `block` 0: all samples are mixed.
struct Blocks {
    std::uint64_t block = 0;     // samples
    std::uint64_t together = 1;  // blocks
};

// One of several sources, whose samples are numbered one after the other.
struct Part {
    std::uint64_t length = 0;
    double weight = 0.0;  // its share of an epoch beside the others
};

struct Draws {
    std::uint64_t length = 0;  // of an epoch, and of all samples
    Blocks blocks;
    std::vector<Part> parts;  // empty: each sample once in an epoch
    // Sums of the samples' weights up to each of them; null: no weights. A sample of weight w comes
    // length * w / sum times in an epoch, rounded up or down.
    std::shared_ptr<const std::vector<double>> weight_sums;
};

struct Drawn {
    std::uint64_t index = 0;
    // Which of the sample's times in the epoch it is: 0 for one of them, so for all where none comes again. In an order
    // of its own, since that of positions is not known in such time.
    std::uint64_t repeat = 0;
};

class Sampling {
public:
    Sampling(Draws draws, std::uint64_t seed, bool shuffle);
    // Samples in an epoch.
    [[nodiscard]] std::uint64_t length() const { return draws_.length; }
    // Positions at the end of an epoch and beyond go round. Without shuffling the position itself, whatever the
    // weights.
    [[nodiscard]] Drawn draw(std::uint64_t epoch, std::uint64_t position) const;
    [[nodiscard]] std::uint64_t index(std::uint64_t epoch, std::uint64_t position) const {
        return draw(epoch, position).index;
    }

private:
    struct Share {
        std::uint64_t first_index;
        std::uint64_t length;
        std::uint64_t first_place;  // of its samples, before they are mixed with those of the others
        std::uint64_t places;
    };

    [[nodiscard]] Drawn of_parts(std::uint64_t epoch, std::uint64_t place) const;
    [[nodiscard]] Drawn of_weights(std::uint64_t epoch, std::uint64_t place) const;

    Draws draws_;
    std::uint64_t seed_;
    bool shuffle_;
    std::vector<Share> shares_;
};

}  // namespace sluice::data
