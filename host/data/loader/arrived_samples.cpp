#include "data/loader/arrived_samples.hpp"

#include <algorithm>

namespace sluice::data {

ArrivedSamples::ArrivedSamples(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced)
    : fields_(fields), hashed_(fields) {
    std::ranges::sort(hashed_, {}, [&](std::size_t number) { return announced[number].name; });
}

void ArrivedSamples::open(std::int64_t count) { samples_.resize(static_cast<std::size_t>(count)); }

void ArrivedSamples::set(std::int64_t position, std::uint64_t index, const Sample& sample) {
    Arrived& arrived = samples_[static_cast<std::size_t>(position)];
    arrived.index = index;
    arrived.hash = hash_sample(sample, hashed_);
    arrived.specs.clear();
    for (const std::size_t field : fields_) {
        arrived.specs.push_back(sample.fields[field].tensor.spec);
    }
}

void ArrivedSamples::set_bad(std::int64_t position, std::uint64_t index) {
    samples_[static_cast<std::size_t>(position)] = {.index = index, .hash = 0, .specs = {}};
}

void ArrivedSamples::add_to(EpochDigest& digest) const {
    for (const Arrived& sample : samples_) {
        digest.add(sample.index, sample.hash);
    }
}

void ArrivedSamples::add_to(std::vector<SampleHash>& hashes, const SampleRange& range, std::uint64_t first) const {
    for (std::int64_t i = range.begin; i < range.end; ++i) {
        const Arrived& sample = samples_[static_cast<std::size_t>(i)];
        hashes.push_back({first + static_cast<std::uint64_t>(i), sample.index, sample.hash});
    }
}

std::string ArrivedSamples::difference(const Batch& batch) const {
    const auto same = [](const sluice_tensor_spec& a, const sluice_tensor_spec& b) { return a == b; };
    const auto first = static_cast<std::size_t>(batch.made.begin);
    const auto arrived = std::span(samples_).subspan(first, static_cast<std::size_t>(batch.made.end) - first);
    const auto is_there = [](const Arrived& sample) { return !sample.specs.empty(); };
    const auto one = std::ranges::find_if(arrived, is_there);
    const std::vector<sluice_tensor_spec>& expected = one->specs;
    const auto other = std::ranges::find_if(arrived, [&](const Arrived& sample) {
        return is_there(sample) && !std::ranges::equal(sample.specs, expected, same);
    });
    const auto field =
        static_cast<std::size_t>(std::ranges::mismatch(expected, other->specs, same).in1 - expected.begin());
    const auto describe = [&](auto sample_at) {
        const std::size_t position = first + static_cast<std::size_t>(sample_at - arrived.begin());
        const std::string& name = batch.names[position];
        return "sample " + std::to_string(samples_[position].index) + (name.empty() ? "" : " (" + name + ")") + " is " +
               to_string(samples_[position].specs[field]);
    };
    return "field '" + batch.fields[field].name + "': " + describe(one) + ", but " + describe(other);
}

}  // namespace sluice::data
