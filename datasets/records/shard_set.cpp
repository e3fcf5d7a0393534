#include "shard_set.hpp"

#include <algorithm>

#include "record_formats/damage.hpp"

namespace sluice::records {
namespace {

bool same_fields(const ShardFile& a, const ShardFile& b) {
    return std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end(),
                      [](const FieldLayout& x, const FieldLayout& y) {
                          return x.name == y.name && x.role == y.role && sdk::same(x.spec.dtype, y.spec.dtype) &&
                                 sdk::same_shape(x.spec, y.spec);
                      });
}

}  // namespace

ShardSet::ShardSet(const std::vector<std::filesystem::path>& files) {
    std::uint64_t samples = 0;
    for (const std::filesystem::path& file : files) {
        shards_.push_back(std::make_unique<ShardFile>(file));
        if (!same_fields(*shards_.front(), *shards_.back())) {
            throw Damage(file.string() + ": its fields differ from those of " + files.front().string());
        }
        samples += shards_.back()->size();
        ends_.push_back(samples);
    }
}

void ShardSet::describe(const sdk::FieldSink& sink) const {
    for (const FieldLayout& field : shards_.front()->fields()) {
        sink.field(field.name, field.role, field.spec);
    }
}

ShardSet::Place ShardSet::find(std::uint64_t index) const {
    const auto at = std::upper_bound(ends_.begin(), ends_.end(), index);
    const auto number = static_cast<std::size_t>(at - ends_.begin());
    return {*shards_[number], index - (number == 0 ? 0 : ends_[number - 1])};
}

void ShardSet::read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const {
    const auto [shard, sample] = find(index);
    sink.name(shard.name(sample));
    for (std::uint32_t i = 0; i < shard.fields().size(); ++i) {
        shard.read(sample, i, sink.allocate(i, shard.spec(sample, i)), scratch);
    }
}

}  // namespace sluice::records
