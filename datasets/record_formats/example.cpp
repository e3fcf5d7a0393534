#include "example.hpp"

#include <algorithm>
#include <limits>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "damage.hpp"

namespace sluice::records {
namespace {

using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

// These are the numbers of fields: an Example has features, these have entries, and an entry has a name and a feature.
// Each kind of list has values.
constexpr protozero::pbf_tag_type kFeatures = 1;
constexpr protozero::pbf_tag_type kEntry = 1;
constexpr protozero::pbf_tag_type kName = 1;
constexpr protozero::pbf_tag_type kFeature = 2;
constexpr protozero::pbf_tag_type kValue = 1;

[[noreturn]] void broken(const char* what) { throw Damage(std::string("not a tf.train.Example: ") + what); }

// Calls `parse` and throws Damage if the message is damaged.
template <class Parse>
auto parsed(const Parse& parse) {
    try {
        return parse();
    } catch (const protozero::end_of_buffer_exception&) {
        broken("a field is longer than the message that holds it");
    } catch (const protozero::varint_too_long_exception&) {
        broken("a number of more than 64 bits");
    } catch (const protozero::unknown_pbf_wire_type_exception&) {
        broken("a field of unknown wire type");
    } catch (const protozero::invalid_tag_exception&) {
        broken("a field has a number that no field may have");
    } catch (const protozero::invalid_length_exception&) {
        broken("a list ends inside a number");
    }
}

protozero::pbf_reader reader_of(ByteSpan message) {
    return {reinterpret_cast<const char*>(message.data()), message.size()};
}

ByteSpan span_of(protozero::data_view view) { return bytes_of({view.data(), view.size()}); }

// The kind of the list in field `number` of a Feature.
FeatureKind kind_of(protozero::pbf_tag_type number) {
    for (const FeatureKind kind : {FeatureKind::bytes, FeatureKind::floats, FeatureKind::integers}) {
        if (number == static_cast<protozero::pbf_tag_type>(kind)) {
            return kind;
        }
    }
    return FeatureKind::empty;
}

Feature parse_feature(protozero::pbf_reader message) {
    Feature feature;
    while (message.next()) {
        const FeatureKind kind = kind_of(message.tag());
        if (kind == FeatureKind::empty || message.wire_type() != pbf_wire_type::length_delimited) {
            message.skip();
        } else {
            feature = {kind, span_of(message.get_view())};
        }
    }
    return feature;
}

std::pair<std::string_view, Feature> parse_entry(protozero::pbf_reader message) {
    std::pair<std::string_view, Feature> entry;
    while (message.next()) {
        switch (message.tag_and_type()) {
            case tag_and_type(kName, pbf_wire_type::length_delimited): {
                const protozero::data_view name = message.get_view();
                entry.first = {name.data(), name.size()};
                break;
            }
            case tag_and_type(kFeature, pbf_wire_type::length_delimited):
                entry.second = parse_feature(message.get_message());
                break;
            default:
                message.skip();
        }
    }
    return entry;
}

// Bytes of a field whose value has `value` bytes. All fields here have numbers below 16.
std::size_t field_bytes(std::size_t value) {
    return 1 + static_cast<std::size_t>(protozero::length_of_varint(value)) + value;
}

}  // namespace

const char* to_string(FeatureKind kind) {
    switch (kind) {
        case FeatureKind::bytes:
            return "bytes_list";
        case FeatureKind::floats:
            return "float_list";
        case FeatureKind::integers:
            return "int64_list";
        default:
            return "empty";
    }
}

std::vector<ByteSpan> Feature::byte_strings() const {
    return parsed([&] {
        std::vector<ByteSpan> all;
        for (protozero::pbf_reader reader = reader_of(list); reader.next();) {
            if (reader.tag_and_type() == tag_and_type(kValue, pbf_wire_type::length_delimited)) {
                all.push_back(span_of(reader.get_view()));
            } else {
                reader.skip();
            }
        }
        return all;
    });
}

// Reads packed and unpacked lists.
std::vector<std::int64_t> Feature::integers() const {
    return parsed([&] {
        std::vector<std::int64_t> all;
        for (protozero::pbf_reader reader = reader_of(list); reader.next();) {
            switch (reader.tag_and_type()) {
                case tag_and_type(kValue, pbf_wire_type::varint):
                    all.push_back(reader.get_int64());
                    break;
                case tag_and_type(kValue, pbf_wire_type::length_delimited): {
                    const auto packed = reader.get_packed_int64();
                    all.insert(all.end(), packed.begin(), packed.end());
                    break;
                }
                default:
                    reader.skip();
            }
        }
        return all;
    });
}

// Reads packed and unpacked lists.
std::vector<float> Feature::floats() const {
    return parsed([&] {
        std::vector<float> all;
        for (protozero::pbf_reader reader = reader_of(list); reader.next();) {
            switch (reader.tag_and_type()) {
                case tag_and_type(kValue, pbf_wire_type::fixed32):
                    all.push_back(reader.get_float());
                    break;
                case tag_and_type(kValue, pbf_wire_type::length_delimited): {
                    const auto packed = reader.get_packed_float();
                    all.insert(all.end(), packed.begin(), packed.end());
                    break;
                }
                default:
                    reader.skip();
            }
        }
        return all;
    });
}

Example Example::parse(ByteSpan message) {
    return parsed([&] {
        Example example;
        for (protozero::pbf_reader outer = reader_of(message); outer.next();) {
            if (outer.tag_and_type() != tag_and_type(kFeatures, pbf_wire_type::length_delimited)) {
                outer.skip();
                continue;
            }
            for (protozero::pbf_reader features = outer.get_message(); features.next();) {
                if (features.tag_and_type() == tag_and_type(kEntry, pbf_wire_type::length_delimited)) {
                    example.features_.push_back(parse_entry(features.get_message()));
                } else {
                    features.skip();
                }
            }
        }
        return example;
    });
}

const Feature* Example::find(std::string_view name) const {
    const auto at =
        std::find_if(features_.rbegin(), features_.rend(), [&](const auto& feature) { return feature.first == name; });
    return at == features_.rend() ? nullptr : &at->second;
}

void ExampleWriter::add_bytes(std::string_view name, ByteSpan bytes) { add(name, FeatureKind::bytes, bytes); }

void ExampleWriter::add_integer(std::string_view name, std::int64_t number) {
    std::string packed;
    protozero::add_varint_to_buffer(&packed, static_cast<std::uint64_t>(number));
    add(name, FeatureKind::integers, bytes_of(packed));
}

// Pictures are large, so their bytes are copied only once: the lengths of all enclosing messages are known before them.
void ExampleWriter::add(std::string_view name, FeatureKind kind, ByteSpan value) {
    constexpr std::size_t kSmall = 1024;  // bytes reserved for small features after a large one
    const std::size_t list = field_bytes(value.size());
    const std::size_t feature = field_bytes(list);
    const std::size_t entry = field_bytes(name.size()) + field_bytes(feature);
    if (entry > std::numeric_limits<std::int32_t>::max()) {
        throw Damage("a feature of more than 2 GiB does not fit into a tf.train.Example");
    }
    if (const std::size_t bytes = features_.size() + field_bytes(entry); bytes > features_.capacity()) {
        features_.reserve(bytes + kSmall);
    }
    pbf_writer features(features_);
    pbf_writer to_entry(features, kEntry, entry);
    to_entry.add_bytes(kName, name.data(), name.size());
    pbf_writer to_feature(to_entry, kFeature, feature);
    pbf_writer to_list(to_feature, static_cast<protozero::pbf_tag_type>(kind), list);
    to_list.add_bytes(kValue, reinterpret_cast<const char*>(value.data()), value.size());
}

Bytes ExampleWriter::message() const {
    std::string message;
    pbf_writer(message).add_bytes(kFeatures, features_);
    return {message.begin(), message.end()};
}

}  // namespace sluice::records
