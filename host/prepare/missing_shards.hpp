// Makes the samples of the shards that are not written yet, and writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"
#include "prepare/ordered_samples.hpp"
#include "prepare/progress_meter.hpp"
#include "prepare/request.hpp"
#include "prepare/shard_format.hpp"
#include "prepare/shard_layout.hpp"
#include "prepare/written_files.hpp"
#include "record_formats/packed_sample.hpp"

namespace sluice::prepare {

class MissingShards {
public:
    // `inputs`: what each shard's manifest stores of the preparation. All arguments must outlive this object.
    MissingShards(const Request& request, const data::Chain& chain, const ShardFormat& format,
                  const ShardLayout& layout, const nlohmann::ordered_json& inputs, WrittenFiles& written)
        : request_(request), chain_(chain), format_(format), layout_(layout), inputs_(inputs), written_(written) {}

    // Adds each shard to `written` once it is complete. Returns false if it was stopped before the last one. Throws
    // Error, which also says how many shards are complete.
    bool write();

private:
    bool write_all();
    bool write_range(std::size_t first, std::size_t end);
    bool write_shard(std::size_t shard, OrderedSamples& samples, ProgressMeter& meter);
    [[nodiscard]] std::optional<records::PackedSample> take(OrderedSamples& samples, std::uint64_t index,
                                                            std::vector<SkippedSample>& skipped) const;
    [[nodiscard]] std::string file_name(std::size_t shard) const;
    [[nodiscard]] std::string manifest_of(std::size_t shard) const;

    const Request& request_;
    const data::Chain& chain_;
    const ShardFormat& format_;
    const ShardLayout& layout_;
    const nlohmann::ordered_json& inputs_;
    WrittenFiles& written_;
};

}  // namespace sluice::prepare
