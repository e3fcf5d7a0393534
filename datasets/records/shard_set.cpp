#include "shard_set.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "record_formats/damage.hpp"
#include "weights.hpp"

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

ShardSet::ShardSet(const std::vector<std::filesystem::path>& files, const sdk::Options& options,
                   const sluice_host* host) {
    for (const std::filesystem::path& file : files) {
        shards_.push_back({.file = nullptr, .path = file.string(), .lost = {}});
        try {
            shards_.back().file = std::make_unique<ShardFile>(file, host);
        } catch (const Damage& damage) {
            const InputFile can_be_opened(file);  // throws: a file that cannot be opened does not count as damaged
            shards_.back().lost = damage.what();
        }
    }
    if (std::ranges::none_of(shards_, [](const Shard& shard) { return shard.file != nullptr; })) {
        throw Damage(shards_.front().lost);
    }
    std::uint64_t samples = 0;
    for (const Shard& shard : shards_) {
        if (shard.file && !same_fields(first(), *shard.file)) {
            throw Damage(shard.path + ": its fields differ from those of " + first().path().string());
        }
        if (shard.file) {
            names_.add(shard.path, shard.file->manifest());
        }
        samples += shard.file ? shard.file->size() : 1;
        ends_.push_back(samples);
    }
    choose_fields(options);
}

void ShardSet::choose_fields(const sdk::Options& options) {
    const std::vector<FieldLayout>& fields = first().fields();
    weight_ = fields.size();
    if (options.has("weights")) {
        const std::string name = options.string("weights");
        weight_ = static_cast<std::size_t>(std::ranges::find(fields, name, &FieldLayout::name) - fields.begin());
        if (weight_ == fields.size() || !sdk::same(fields[weight_].spec.dtype, sdk::kFloat64) ||
            fields[weight_].spec.rank != 0) {
            throw sdk::Failure(SLUICE_INVALID, "option 'weights': " + first().path().string() + " has no field '" +
                                                   name +
                                                   "' that is one number of float64; `sluice prepare` of a "
                                                   "pipeline with data.train.sampling.use = \"weights\" writes it");
        }
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i != weight_) {
            fields_.push_back(i);
        }
    }
}

const ShardFile& ShardSet::first() const {
    return *std::ranges::find_if(shards_, [](const Shard& shard) { return shard.file != nullptr; })->file;
}

std::vector<std::string> ShardSet::losses() const {
    std::vector<std::string> all;
    for (const Shard& shard : shards_) {
        if (!shard.file) {
            all.push_back(shard.lost);
        }
    }
    return all;
}

void ShardSet::describe(const sdk::FieldSink& sink) const {
    for (const std::size_t field : fields_) {
        const FieldLayout& layout = first().fields()[field];
        sink.field(layout.name, layout.role, layout.spec);
    }
}

std::string_view ShardSet::class_name(std::uint32_t field, std::uint64_t number) const noexcept {
    return field < fields_.size() ? names_.name(first().fields()[fields_[field]].name, number) : std::string_view();
}

ShardSet::Place ShardSet::find(std::uint64_t index) const {
    const auto number = static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
    const Shard& shard = shards_[number];
    if (!shard.file) {
        throw Damage(shard.lost);
    }
    return {*shard.file, index - (number == 0 ? 0 : ends_[number - 1])};
}

void ShardSet::read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const {
    const auto [shard, sample] = find(index);
    sink.name(shard.name(sample));
    for (std::uint32_t i = 0; i < fields_.size(); ++i) {
        shard.read(sample, fields_[i], sink.allocate(i, shard.spec(sample, fields_[i])), scratch);
    }
}

void ShardSet::has_windows(std::span<std::uint8_t> windows) const {
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const bool are_tiled = std::ranges::all_of(
            shards_, [&](const Shard& shard) { return !shard.file || shard.file->fields()[fields_[i]].is_tiled(); });
        windows[i] = are_tiled ? SLUICE_WINDOWS_UNSHRUNK : SLUICE_WINDOWS_NONE;
    }
}

void ShardSet::extents(std::uint64_t index, std::span<sluice_extent> extents) const {
    const auto [shard, sample] = find(index);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const sluice_tensor_spec spec = shard.spec(sample, fields_[i]);
        const bool is_tiled = shard.fields()[fields_[i]].is_tiled();
        extents[i] = is_tiled ? sluice_extent{spec.shape[0], spec.shape[1]} : sluice_extent{-1, -1};
    }
}

void ShardSet::read_windows(std::uint64_t index, std::span<const sluice_window> windows, const sdk::SampleSink& sink,
                            Bytes& scratch) const {
    const auto [shard, sample] = find(index);
    sink.name(shard.name(sample));
    for (std::uint32_t i = 0; i < windows.size(); ++i) {
        const std::size_t field = fields_[i];
        sluice_tensor_spec spec = shard.spec(sample, field);
        if (!shard.fields()[field].is_tiled()) {
            shard.read(sample, field, sink.allocate(i, spec), scratch);
            continue;
        }
        const sluice_window& window = windows[i];
        spec.shape[0] = window.height;
        spec.shape[1] = window.width;
        shard.read(sample, field, {window.top, window.left, window.height, window.width}, sink.allocate(i, spec),
                   scratch);
    }
}

// Reads a field of the first samples. Returns the indices of unreadable samples. Throws Damage if all are unreadable.
template <class Number>
std::vector<std::uint64_t> ShardSet::read_numbers(std::size_t field, std::span<Number> numbers) const {
    std::vector<std::uint64_t> unknown;
    std::optional<Damage> first_damage;
    Bytes scratch;
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
        try {
            const auto [shard, sample] = find(i);
            shard.read(sample, field, reinterpret_cast<std::uint8_t*>(&numbers[i]), scratch);
        } catch (const Damage& damage) {
            unknown.push_back(i);
            first_damage = first_damage ? first_damage : damage;
        }
    }
    if (unknown.size() == numbers.size() && first_damage) {
        throw Damage(*first_damage);
    }
    return unknown;
}

void ShardSet::classes(std::span<std::int64_t> classes) const {
    const std::vector<FieldLayout>& fields = first().fields();
    const auto is_class = [](const FieldLayout& field) { return field.role == SLUICE_FIELD_CLASS; };
    if (std::ranges::count_if(fields, is_class) != 1) {
        throw sdk::Failure(SLUICE_INVALID, first().path().string() + " has " +
                                               std::to_string(std::ranges::count_if(fields, is_class)) +
                                               " fields with class numbers; exactly one is needed");
    }
    const auto field = static_cast<std::size_t>(std::ranges::find_if(fields, is_class) - fields.begin());
    const std::vector<std::uint64_t> unknown = read_numbers(field, classes);
    std::uint64_t known = 0;
    while (known < unknown.size() && unknown[known] == known) {
        ++known;
    }
    for (const std::uint64_t i : unknown) {
        classes[i] = classes[known];
    }
}

void ShardSet::weights(std::span<double> weights) const {
    const std::vector<std::uint64_t> unknown = read_numbers(weight_, weights);
    for (const std::uint64_t i : unknown) {
        weights[i] = 0.0;
    }
    if (const auto wrong = std::ranges::find_if_not(weights, is_weight); wrong != weights.end()) {
        const auto [shard, sample] = find(static_cast<std::uint64_t>(wrong - weights.begin()));
        refuse_weight(*wrong, shard.path().string() + ": field '" + shard.fields()[weight_].name + "' of " +
                                  std::string(shard.name(sample)));
    }
    for (const std::uint64_t i : unknown) {
        weights[i] = std::numeric_limits<double>::quiet_NaN();
    }
}

}  // namespace sluice::records
