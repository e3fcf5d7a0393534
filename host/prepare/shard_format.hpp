// The file formats that samples are written in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"
#include "record_formats/packed_sample.hpp"

namespace sluice::prepare {

// One file while it is written.
class ShardBody {
public:
    virtual ~ShardBody() = default;
    virtual void add(const records::PackedSample& sample) = 0;
    // `manifest`: kept in the file where the format can.
    virtual void finish(const std::string& manifest) = 0;
};

class ShardFormat {
public:
    virtual ~ShardFormat() = default;
    [[nodiscard]] virtual std::string suffix() const = 0;
    // Whether a file without a sample is one of this format.
    [[nodiscard]] virtual bool may_be_empty() const = 0;
    // Sample number `index` of the data that is prepared. From any thread.
    [[nodiscard]] virtual records::PackedSample pack(const data::Sample& sample, std::uint64_t index) const = 0;
    [[nodiscard]] virtual std::unique_ptr<ShardBody> begin(records::ByteSink& to) const = 0;
    // What a pipeline says of source `records` besides its path, ", fields = [...]", as far as the files do not.
    [[nodiscard]] virtual std::string reading() const = 0;
};

// `name`: "records", "tfrecord". `weights`: one for each sample, which is kept beside its fields, or none; they outlive
// it. Throws Error(Exit::config) where a field does not fit into it.
std::unique_ptr<ShardFormat> make_format(const std::string& name, bool gzip, std::span<const registry::Field> fields,
                                         std::span<const double> weights);

}  // namespace sluice::prepare
