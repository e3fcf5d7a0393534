// The file formats that samples are written in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"
#include "data/chain/sample.hpp"
#include "record_formats/packed_sample.hpp"

namespace sluice::prepare {

// One file while it is written.
class ShardBody {
public:
    virtual ~ShardBody() = default;
    virtual void add(const records::PackedSample& sample) = 0;
    // `manifest` is stored in the file if the format has a place for it.
    virtual void finish(const std::string& manifest) = 0;
};

class ShardFormat {
public:
    virtual ~ShardFormat() = default;
    [[nodiscard]] virtual std::string suffix() const = 0;
    // True if a file without samples is valid in this format.
    [[nodiscard]] virtual bool may_be_empty() const = 0;
    // Packs sample number `index` of the prepared data. [any thread]
    [[nodiscard]] virtual records::PackedSample pack(const data::Sample& sample, std::uint64_t index) const = 0;
    [[nodiscard]] virtual std::unique_ptr<ShardBody> begin(records::ByteSink& to) const = 0;
    // Options of source `records` that a pipeline needs besides the path, ", fields = [...]"; empty if the files hold
    // them.
    [[nodiscard]] virtual std::string reading() const = 0;
};

// `name`: "records" or "tfrecord". `weights`: one for each sample, stored next to its fields, or empty; they have to
// outlive the format. Throws Error(Exit::config) if the format cannot store a field.
std::unique_ptr<ShardFormat> make_format(const std::string& name, bool gzip, std::span<const registry::Field> fields,
                                         std::span<const double> weights);

}  // namespace sluice::prepare
