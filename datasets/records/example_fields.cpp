#include "example_fields.hpp"

#include <algorithm>
#include <charconv>

#include "record_formats/damage.hpp"
#include "shared_files/counted.hpp"

namespace sluice::records {
namespace {

std::string features_of(const Example& example) {
    std::string all;
    for (const auto& [name, feature] : example.features()) {
        all += (all.empty() ? "" : ", ") + std::string(name) + " (" + to_string(feature.kind) + ")";
    }
    return all.empty() ? "none" : all;
}

const Feature& need(const Example& example, const std::string& name, FeatureKind kind) {
    const Feature* feature = example.find(name);
    if (feature == nullptr || feature->kind != kind) {
        throw Damage("feature '" + name + "' of type " + to_string(kind) + " is needed; it has " +
                     features_of(example));
    }
    return *feature;
}

ByteSpan one_string(const Example& example, const std::string& name) {
    const std::vector<ByteSpan> strings = need(example, name, FeatureKind::bytes).byte_strings();
    if (strings.size() != 1) {
        throw Damage("feature '" + name + "' has " + std::to_string(strings.size()) + " byte strings; one is needed");
    }
    return strings.front();
}

std::int64_t one_integer(const Example& example, const std::string& name) {
    const std::vector<std::int64_t> numbers = need(example, name, FeatureKind::integers).integers();
    if (numbers.size() != 1) {
        throw Damage("feature '" + name + "' has " + std::to_string(numbers.size()) + " numbers; one is needed");
    }
    return numbers.front();
}

bool is_picture_file(ByteSpan bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.starts_with("\xFF\xD8\xFF") || text.starts_with("\x89PNG\r\n\x1A\n");
}

std::vector<ExampleField> by_content(const Example& first) {
    std::vector<ExampleField> fields;
    for (const auto& [name, feature] : first.features()) {
        const std::vector<ByteSpan> strings =
            feature.kind == FeatureKind::bytes ? feature.byte_strings() : std::vector<ByteSpan>{};
        if (strings.size() == 1 && is_picture_file(strings.front())) {
            fields.push_back({name == "image/encoded" ? "image" : std::string(name), std::string(name), "encoded"});
        }
    }
    for (const char* name : {"image/class/label", "label"}) {
        const Feature* feature = first.find(name);
        if (feature != nullptr && feature->kind == FeatureKind::integers && feature->integers().size() == 1) {
            fields.push_back({"label", name, "class"});
            break;
        }
    }
    std::ranges::sort(fields, {}, &ExampleField::name);  // the order of features in a record means nothing
    return fields;
}

// Height, width and, for an image, channels.
std::vector<std::int64_t> extents_of(const ExampleField& field, const Example& example) {
    std::vector<std::int64_t> extents{one_integer(example, field.feature + "/height"),
                                      one_integer(example, field.feature + "/width")};
    if (field.kind == "image") {
        extents.push_back(one_integer(example, field.feature + "/channels"));
    }
    if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent < 1 || extent > (1 << 24); })) {
        throw Damage("feature '" + field.feature + "' is a picture of " + std::to_string(extents[0]) + " x " +
                     std::to_string(extents[1]) + " pixels");
    }
    return extents;
}

}  // namespace

std::vector<ExampleField> choose_fields(const sdk::Options& options, const Example& first) {
    if (!options.has("fields")) {
        if (options.has("features") || options.has("kinds")) {
            throw sdk::Failure(SLUICE_INVALID, "options 'features' and 'kinds' need 'fields', of as many items");
        }
        std::vector<ExampleField> fields = by_content(first);
        if (fields.empty()) {
            throw sdk::Failure(SLUICE_INVALID,
                               "cannot tell which features are fields of a sample; the first record has " +
                                   features_of(first) + "; set options 'fields', 'features' and 'kinds'");
        }
        return fields;
    }
    const std::vector<std::string> names = options.strings("fields");
    const std::vector<std::string> features = options.has("features") ? options.strings("features") : names;
    const std::vector<std::string> kinds = options.has("kinds") ? options.strings("kinds") : std::vector<std::string>{};
    if (features.size() != names.size() || kinds.size() != names.size()) {
        throw sdk::Failure(SLUICE_INVALID, "'fields' has " + std::to_string(names.size()) + " items, 'features' " +
                                               std::to_string(features.size()) + " and 'kinds' " +
                                               std::to_string(kinds.size()) + "; all need the same number");
    }
    std::vector<ExampleField> fields;
    for (std::size_t i = 0; i < names.size(); ++i) {
        fields.push_back({names[i], features[i], kinds[i]});
        if (kinds[i] == "image") {
            fields.back().channels = extents_of(fields.back(), first).back();
        }
    }
    return fields;
}

// Accepts a number as float_list, as other programs write it, or as decimal text, which keeps all bits of a float64.
double read_weight(const std::string& feature, const Example& example) {
    const Feature* const found = example.find(feature);
    if (found != nullptr && found->kind == FeatureKind::integers) {
        return static_cast<double>(one_integer(example, feature));
    }
    if (found != nullptr && found->kind == FeatureKind::bytes) {
        const ByteSpan bytes = one_string(example, feature);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        double weight = 0.0;
        const auto [end, error] = std::from_chars(text.begin(), text.end(), weight);
        if (error != std::errc() || end != text.end()) {
            throw Damage("feature '" + feature + "' is '" + std::string(text.substr(0, 20)) + "'; a number is needed");
        }
        return weight;
    }
    const std::vector<float> numbers = need(example, feature, FeatureKind::floats).floats();
    if (numbers.size() != 1) {
        throw Damage("feature '" + feature + "' has " + std::to_string(numbers.size()) + " numbers; one is needed");
    }
    return numbers.front();
}

void describe_field(const ExampleField& field, const sdk::FieldSink& sink) {
    if (field.kind == "class") {
        sink.field(field.name, SLUICE_FIELD_CLASS, sdk::make_spec(sdk::kInt64, {}));
    } else if (field.kind == "image") {
        sink.field(field.name, SLUICE_FIELD_IMAGE, sdk::make_spec(sdk::kUint8, {-1, -1, field.channels}));
    } else if (field.kind == "label_map") {
        sink.field(field.name, SLUICE_FIELD_LABEL_MAP, sdk::make_spec(sdk::kUint8, {-1, -1}));
    } else {
        sink.field(field.name, SLUICE_FIELD_ENCODED, sdk::make_spec(sdk::kUint8, {-1}));
    }
}

void read_field(const ExampleField& field, const Example& example, std::int64_t first_class, std::uint32_t number,
                const sdk::SampleSink& sink) {
    if (field.kind == "class") {
        const std::int64_t found = one_integer(example, field.feature);
        if (found < first_class) {
            throw Damage("feature '" + field.feature + "' is class " + std::to_string(found) +
                         "; option 'first_class' is " + std::to_string(first_class));
        }
        *sink.allocate<std::int64_t>(number, sdk::make_spec(sdk::kInt64, {})) = found - first_class;
        return;
    }
    const ByteSpan bytes = one_string(example, field.feature);
    const std::vector<std::int64_t> shape =
        field.kind == "encoded" ? std::vector{static_cast<std::int64_t>(bytes.size())} : extents_of(field, example);
    if (field.kind == "image" && shape.back() != field.channels) {
        throw Damage("feature '" + field.feature + "' has " +
                     shared_files::counted(static_cast<std::size_t>(shape.back()), "channel") +
                     "; that of the first record has " + std::to_string(field.channels));
    }
    const sluice_tensor_spec spec = sdk::make_spec(sdk::kUint8, shape);
    if (byte_count(spec) != bytes.size() || bytes.empty()) {
        throw Damage("feature '" + field.feature + "' has " + std::to_string(bytes.size()) + " bytes; a picture of " +
                     sdk::describe(spec) + " has " + std::to_string(byte_count(spec)));
    }
    std::memcpy(sink.allocate(number, spec), bytes.data(), bytes.size());
}

}  // namespace sluice::records
