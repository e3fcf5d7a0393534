#include "prepare/shard_format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/value.hpp"
#include "record_formats/example.hpp"
#include "record_formats/gzip.hpp"
#include "record_formats/shard_writer.hpp"
#include "record_formats/tfrecord.hpp"
#include "registry/optional/windows.hpp"

namespace sluice::prepare {
namespace {

// Small enough that a window of a picture is read with little around it, and large enough that a checksum for each tile
// costs little.
constexpr records::TileExtent kTile{16, 32};

bool is_picture(const registry::Field& field) {
    return field.spec.dtype == kUint8 && (field.role == SLUICE_FIELD_IMAGE || field.role == SLUICE_FIELD_LABEL_MAP);
}

// True if windows can be much smaller than the picture.
bool is_worth_tiles(const registry::Field& field) {
    const auto is_large = [](std::int64_t extent, std::int64_t tile) { return extent < 0 || extent > 2 * tile; };
    return registry::may_have_windows(field) &&
           (is_large(field.spec.shape[0], kTile.height) || is_large(field.spec.shape[1], kTile.width));
}

constexpr const char* kWeight = "weight";  // field name of a sample's weight
const sluice_tensor_spec kWeightSpec = make_spec(kFloat64, {});

std::string reading_of(std::span<const double> weights) {
    return weights.empty() ? "" : fmt::format(", weights = \"{}\"", kWeight);
}

class OwnBody final : public ShardBody {
public:
    OwnBody(records::ByteSink& to, const std::vector<records::FieldLayout>& fields) : writer_(to, fields) {}
    void add(const records::PackedSample& sample) override { writer_.add(sample); }
    void finish(const std::string& manifest) override { writer_.finish(manifest); }

private:
    records::ShardWriter writer_;
};

class OwnFormat final : public ShardFormat {
public:
    OwnFormat(std::span<const registry::Field> fields, std::span<const double> weights) : weights_(weights) {
        for (const registry::Field& field : fields) {
            fields_.push_back({.name = field.name,
                               .role = field.role,
                               .spec = field.spec,
                               .tile = is_worth_tiles(field) ? kTile : records::TileExtent{}});
        }
        if (!weights_.empty()) {
            fields_.push_back({.name = kWeight, .role = SLUICE_FIELD_TENSOR, .spec = kWeightSpec});
        }
    }
    [[nodiscard]] std::string suffix() const override { return ".records"; }
    [[nodiscard]] bool may_be_empty() const override { return true; }
    [[nodiscard]] records::PackedSample pack(const data::Sample& sample, std::uint64_t index) const override {
        std::vector<records::FieldData> data;
        for (const data::SampleField& field : sample.fields) {
            data.push_back({field.tensor.spec, field.tensor.bytes.data()});
        }
        if (!weights_.empty()) {
            data.push_back({kWeightSpec, reinterpret_cast<const std::uint8_t*>(&weights_[index])});
        }
        return records::pack_sample(sample.name, fields_, data);
    }
    [[nodiscard]] std::unique_ptr<ShardBody> begin(records::ByteSink& to) const override {
        return std::make_unique<OwnBody>(to, fields_);
    }
    [[nodiscard]] std::string reading() const override { return reading_of(weights_); }

private:
    std::vector<records::FieldLayout> fields_;
    std::span<const double> weights_;
};

class TfRecordBody final : public ShardBody {
public:
    TfRecordBody(records::ByteSink& to, bool gzip)
        : packer_(gzip ? std::make_unique<records::GzipSink>(to) : nullptr), to_(gzip ? *packer_ : to) {}
    void add(const records::PackedSample& sample) override { records::write_tfrecord(to_, sample.bytes); }
    void finish(const std::string&) override {
        if (packer_) {
            packer_->finish();
        }
    }

private:
    std::unique_ptr<records::GzipSink> packer_;
    records::ByteSink& to_;
};

class TfRecordFormat final : public ShardFormat {
public:
    TfRecordFormat(bool gzip, std::span<const registry::Field> fields, std::span<const double> weights)
        : gzip_(gzip), weights_(weights) {
        for (const registry::Field& field : fields) {
            names_.push_back({field.name, {}});
            kinds_.push_back({kind_of(field), {}});
        }
    }
    [[nodiscard]] std::string suffix() const override { return gzip_ ? ".tfrecord.gz" : ".tfrecord"; }
    [[nodiscard]] bool may_be_empty() const override { return gzip_; }  // else it looks like a file that was cut off
    [[nodiscard]] records::PackedSample pack(const data::Sample& sample, std::uint64_t index) const override {
        records::ExampleWriter example;
        for (const data::SampleField& field : sample.fields) {
            const sluice_tensor_spec& spec = field.tensor.spec;
            if (field.role == SLUICE_FIELD_CLASS) {
                example.add_integer(field.name, field.tensor.as<std::int64_t>()[0]);
                continue;
            }
            example.add_bytes(field.name, field.tensor.bytes);
            if (field.role != SLUICE_FIELD_ENCODED) {
                constexpr const char* kExtents[] = {"/height", "/width", "/channels"};
                const std::span<const std::int64_t> extents = shape_of(spec);
                for (std::size_t i = 0; i < std::min(extents.size(), std::size(kExtents)); ++i) {
                    example.add_integer(field.name + kExtents[i], extents[i]);
                }
            }
        }
        if (!weights_.empty()) {  // as text: a float_list has too few bits to keep the order of samples
            example.add_bytes(kWeight, records::bytes_of(fmt::format("{}", weights_[index])));
        }
        example.add_bytes("sample/name", records::bytes_of(sample.name));
        return {.name = sample.name, .bytes = example.message(), .words = {}};
    }
    [[nodiscard]] std::unique_ptr<ShardBody> begin(records::ByteSink& to) const override {
        return std::make_unique<TfRecordBody>(to, gzip_);
    }
    [[nodiscard]] std::string reading() const override {
        return fmt::format(", fields = {}, kinds = {}{}", to_toml(Value{names_, {}}), to_toml(Value{kinds_, {}}),
                           reading_of(weights_));
    }

private:
    static std::string kind_of(const registry::Field& field) {
        if (field.role == SLUICE_FIELD_ENCODED) {
            return "encoded";
        }
        if (field.role == SLUICE_FIELD_CLASS) {
            return "class";
        }
        if (!is_picture(field)) {
            throw Error(Exit::config, fmt::format("field '{}' is {}, which `--format tfrecord` does not write; "
                                                  "`--format records` does",
                                                  field.name, to_string(field.spec)));
        }
        return field.role == SLUICE_FIELD_IMAGE ? "image" : "label_map";
    }

    bool gzip_;
    std::span<const double> weights_;
    Array names_;
    Array kinds_;
};

}  // namespace

std::unique_ptr<ShardFormat> make_format(const std::string& name, bool gzip, std::span<const registry::Field> fields,
                                         std::span<const double> weights) {
    if (name != "records" && name != "tfrecord") {
        throw Error(Exit::config, fmt::format("--format {}: one of records, tfrecord is needed", name));
    }
    if (name == "records" && gzip) {
        throw Error(Exit::config, "--gzip is for --format tfrecord: a compressed file has no random access");
    }
    if (!weights.empty() && std::ranges::find(fields, kWeight, &registry::Field::name) != fields.end()) {
        throw Error(Exit::config, fmt::format("field '{}' of the samples has the name under which their weights are "
                                              "stored; data.train.sampling.use = \"uniform\" stores no weights",
                                              kWeight));
    }
    return name == "records" ? std::unique_ptr<ShardFormat>(std::make_unique<OwnFormat>(fields, weights))
                             : std::make_unique<TfRecordFormat>(gzip, fields, weights);
}

}  // namespace sluice::prepare
