// The samples of a stream that could not be made, and how many of them are let pass. Each is named in the log once and
// counted; another takes its place, or it is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sluice::data {

struct BadSample {
    std::int64_t position = 0;  // in its batch
    std::uint64_t index = 0;
    std::string what;                      // went wrong, with its name
    std::optional<std::uint64_t> taken{};  // the index of the one in its place; none: it is left out
};

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
