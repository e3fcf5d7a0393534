#include "prepare/prepare.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "data/chain/chain.hpp"
#include "prepare/folder_lock.hpp"
#include "prepare/missing_shards.hpp"
#include "prepare/preparation_identity.hpp"
#include "prepare/probe_samples.hpp"
#include "prepare/reading_lines.hpp"
#include "prepare/sample_weights.hpp"
#include "prepare/shard_format.hpp"
#include "prepare/shard_layout.hpp"
#include "prepare/written_files.hpp"

namespace sluice::prepare {

Prepared prepare(const Request& request, const registry::Registry& registry) {
    const config::StreamSpec& made = request.prefix.made;
    const data::Chain chain(without_weights(made), registry, request.seed, "data." + request.purpose);
    const std::vector<double> weights = weights_of(made, registry);
    const std::unique_ptr<ShardFormat> format = make_format(request.format, request.gzip, chain.fields(), weights);
    const SampleProbe probe = probe_samples(chain, *format);
    const ShardLayout layout(chain.length(), probe.mean_bytes, request.shard_bytes);
    const nlohmann::ordered_json inputs = preparation_inputs(request, layout, probe.sha256, weights);
    const FolderLock lock(request.out);
    nlohmann::ordered_json all_inputs = inputs;
    all_inputs.update(preparation_identity(made, registry));
    WrittenFiles written(request.out, all_inputs);
    const bool is_compared =
        (written.is_whole() && !request.verify) || written.drop_changed(request.verify, request.stop, request.progress);
    Prepared prepared;
    prepared.files_before = written.shards().size();
    if (is_compared && !written.is_whole() && MissingShards(request, chain, *format, layout, inputs, written).write()) {
        written.finish();
    }
    prepared.is_whole = is_compared && written.is_whole();
    for (const auto& [number, shard] : written.shards()) {
        prepared.samples += shard.samples;
        prepared.bytes += shard.bytes;
    }
    prepared.skipped = written.skipped();
    prepared.files = written.shards().size();
    prepared.source = source_line(request.out, *format);
    prepared.map = map_line(request.prefix);
    return prepared;
}

}  // namespace sluice::prepare
