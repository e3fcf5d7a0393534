// The samples of several files, as one row of them.
#pragma once

#include <cstdint>

#include "record_formats/bytes.hpp"
#include "sluice/sdk/data.hpp"

namespace sluice::records {

// Everything that is wrong with a file is thrown as Damage.
class SampleSet {
public:
    virtual ~SampleSet() = default;
    virtual void describe(const sdk::FieldSink& sink) const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    virtual void read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const = 0;
};

}  // namespace sluice::records
