// The samples of a stream that could not be made, and how many of them are let pass. Each is named in the log once and
// counted; another takes its place, or it is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace sluice::data {

// What went wrong with a sample: "data.train: sample 17 (photos/a b.jpg): " and the reason.
class SampleError : public Error {
public:
    // `name`: empty where it is not known.
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
    std::string what;                      // went wrong, with its name
    std::optional<std::uint64_t> taken{};  // the index of the one in its place; none: it is left out
    std::string place{};                   // of SampleError, where it is one
    std::string reason{};
};

// Of a search for one that takes a bad sample's place: `bad`, in the order in which they were met, are one more than
// may be (`most` let pass), or all that there are.
enum class SearchEnd { too_many, all_of_data, all_of_epoch };
[[nodiscard]] Error found_none(std::span<const BadSample> bad, SearchEnd end, std::int64_t most);

class BadSamples {
public:
    // `most`: different ones that are let pass.
    explicit BadSamples(std::int64_t most) : most_(most) {}

    // In the order of their positions. Throws Error(Exit::data) at the first that is one too many, which does not count
    // as let pass.
    void add(std::vector<BadSample> found);
    // Their indices, in order.
    [[nodiscard]] std::vector<std::uint64_t> indices() const { return {indices_.begin(), indices_.end()}; }
    // Goes on from there.
    void restore(const std::vector<std::uint64_t>& indices) { indices_ = {indices.begin(), indices.end()}; }

private:
    std::int64_t most_;
    std::set<std::uint64_t> indices_;
};

}  // namespace sluice::data
