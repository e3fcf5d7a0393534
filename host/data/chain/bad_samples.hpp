// Counts the samples of a stream that could not be made, up to the limit data.skip_bad. Each bad sample is logged once.
// Another sample takes its place, or it is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace sluice::data {

// An error of one sample: "data.train: sample 17 (photos/a b.jpg): " and the reason.
class SampleError : public Error {
public:
    // `name`: empty if it is not known.
    SampleError(Exit exit, const std::string& purpose, std::uint64_t index, const std::string& name,
                const std::string& reason);
    [[nodiscard]] const std::string& place() const { return place_; }  // "17 (photos/a b.jpg)"
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    std::string place_;
    std::string reason_;
};

struct BadSample {
    std::int64_t position = 0;  // in its batch
    std::uint64_t index = 0;
    std::string what;                      // the whole message, with the sample's name
    std::optional<std::uint64_t> taken{};  // index of the sample that replaces it; std::nullopt: it is left out
    std::string place{};                   // SampleError::place(), or the index as text
    std::string reason{};                  // SampleError::reason(), or `what`
};

// Why the search for a replacement failed: more than `most` consecutive samples were bad, or all of the data or of the
// epoch. `bad`: the bad samples in the order in which the search met them; not empty.
enum class SearchEnd { too_many, all_of_data, all_of_epoch };
[[nodiscard]] Error found_none(std::span<const BadSample> bad, SearchEnd end, std::int64_t most);

class BadSamples {
public:
    // `most`: number of different bad samples that are allowed.
    explicit BadSamples(std::int64_t most) : most_(most) {}

    // Counts and logs `found` in the order of their positions. Throws Error(Exit::data) at the first sample beyond the
    // limit, and does not count that one.
    void add(std::vector<BadSample> found);
    // The indices of the bad samples so far, in ascending order.
    [[nodiscard]] std::vector<std::uint64_t> indices() const { return {indices_.begin(), indices_.end()}; }
    // Continues from the indices() of an earlier run.
    void restore(const std::vector<std::uint64_t>& indices) { indices_ = {indices.begin(), indices.end()}; }

private:
    std::int64_t most_;
    std::set<std::uint64_t> indices_;
};

}  // namespace sluice::data
