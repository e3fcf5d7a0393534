#include "example.hpp"

#include <algorithm>

#include "damage.hpp"

namespace sluice::records {
namespace {

// The wire types of protocol buffers.
enum Wire : std::uint8_t { variable_int = 0, eight_bytes = 1, length_delimited = 2, four_bytes = 5 };

[[noreturn]] void broken(const char* what) { throw Damage(std::string("not a tf.train.Example: ") + what); }

// Iterates over the fields of a message.
class Cursor {
public:
    explicit Cursor(ByteSpan message) : rest_(message) {}

    // Moves to the next field; false at the end. Its content is value(), or number() for a varint.
    bool next() {
        if (rest_.empty()) {
            return false;
        }
        const std::uint64_t tag = varint();
        field_ = tag >> 3;
        wire_ = static_cast<std::uint8_t>(tag & 7);
        switch (wire_) {
            case variable_int:
                number_ = varint();
                break;
            case eight_bytes:
                value_ = take(8);
                break;
            case length_delimited:
                value_ = take(varint());
                break;
            case four_bytes:
                value_ = take(4);
                break;
            default:
                broken("a field of unknown wire type");
        }
        return true;
    }
    [[nodiscard]] bool is(std::uint64_t field, Wire wire) const { return field_ == field && wire_ == wire; }
    [[nodiscard]] ByteSpan value() const { return value_; }
    [[nodiscard]] std::uint64_t number() const { return number_; }

    std::uint64_t varint() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = take(1).front();
            number |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) {
                return number;
            }
        }
        broken("a number of more than 64 bits");
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

private:
    ByteSpan take(std::uint64_t bytes) {
        if (bytes > rest_.size()) {
            broken("a field is longer than the message that holds it");
        }
        const ByteSpan taken = rest_.first(static_cast<std::size_t>(bytes));
        rest_ = rest_.subspan(static_cast<std::size_t>(bytes));
        return taken;
    }

    ByteSpan rest_;
    std::uint64_t field_ = 0;
    std::uint8_t wire_ = 0;
    ByteSpan value_;
    std::uint64_t number_ = 0;
};

Feature parse_feature(ByteSpan message) {
    Feature feature;
    for (Cursor cursor(message); cursor.next();) {
        for (const FeatureKind kind : {FeatureKind::bytes, FeatureKind::floats, FeatureKind::integers}) {
            if (cursor.is(static_cast<std::uint64_t>(kind), length_delimited)) {
                feature = {kind, cursor.value()};
            }
        }
    }
    return feature;
}

void append_varint(Bytes& to, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) {
        to.push_back(static_cast<std::uint8_t>(number | 0x80));
    }
    to.push_back(static_cast<std::uint8_t>(number));
}

// Appends the head of a field; its value of `bytes` bytes has to follow.
void append_head(Bytes& to, unsigned field, std::size_t bytes) {
    append_varint(to, field << 3 | length_delimited);
    append_varint(to, bytes);
}

void append_field(Bytes& to, unsigned field, ByteSpan value) {
    append_head(to, field, value.size());
    append(to, value);
}

// Bytes of a field with a value of `value` bytes, with its head.
std::size_t field_bytes(std::size_t value) {
    Bytes head;
    append_head(head, 1, value);
    return head.size() + value;
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
    std::vector<ByteSpan> all;
    for (Cursor cursor(list); cursor.next();) {
        if (cursor.is(1, length_delimited)) {
            all.push_back(cursor.value());
        }
    }
    return all;
}

// Reads packed and unpacked lists.
std::vector<std::int64_t> Feature::integers() const {
    std::vector<std::int64_t> all;
    for (Cursor cursor(list); cursor.next();) {
        if (cursor.is(1, variable_int)) {
            all.push_back(static_cast<std::int64_t>(cursor.number()));
        } else if (cursor.is(1, length_delimited)) {
            for (Cursor packed(cursor.value()); !packed.at_end();) {
                all.push_back(static_cast<std::int64_t>(packed.varint()));
            }
        }
    }
    return all;
}

// Reads packed and unpacked lists.
std::vector<float> Feature::floats() const {
    std::vector<float> all;
    for (Cursor cursor(list); cursor.next();) {
        if (cursor.is(1, four_bytes)) {
            all.push_back(load<float>(cursor.value().data()));
        } else if (cursor.is(1, length_delimited)) {
            for (ByteSpan packed = cursor.value(); packed.size() >= sizeof(float);) {
                all.push_back(load<float>(packed.data()));
                packed = packed.subspan(sizeof(float));
            }
        }
    }
    return all;
}

Example Example::parse(ByteSpan message) {
    Example example;
    for (Cursor outer(message); outer.next();) {
        if (!outer.is(1, length_delimited)) {
            continue;
        }
        for (Cursor features(outer.value()); features.next();) {
            if (!features.is(1, length_delimited)) {
                continue;
            }
            std::pair<std::string_view, Feature> entry;
            for (Cursor cursor(features.value()); cursor.next();) {
                if (cursor.is(1, length_delimited)) {
                    entry.first = {reinterpret_cast<const char*>(cursor.value().data()), cursor.value().size()};
                } else if (cursor.is(2, length_delimited)) {
                    entry.second = parse_feature(cursor.value());
                }
            }
            example.features_.push_back(entry);
        }
    }
    return example;
}

const Feature* Example::find(std::string_view name) const {
    const auto at =
        std::find_if(features_.rbegin(), features_.rend(), [&](const auto& feature) { return feature.first == name; });
    return at == features_.rend() ? nullptr : &at->second;
}

void ExampleWriter::add_bytes(std::string_view name, ByteSpan bytes) { add(name, FeatureKind::bytes, bytes); }

void ExampleWriter::add_integer(std::string_view name, std::int64_t number) {
    Bytes packed;
    append_varint(packed, static_cast<std::uint64_t>(number));
    add(name, FeatureKind::integers, packed);
}

// Pictures are large, so their bytes are copied only once: the heads of all enclosing messages are written before them.
void ExampleWriter::add(std::string_view name, FeatureKind kind, ByteSpan value) {
    constexpr std::size_t kSmall = 1024;  // bytes reserved for small features after a large one
    const std::size_t list = field_bytes(value.size());
    const std::size_t feature = field_bytes(list);
    const std::size_t entry = field_bytes(name.size()) + field_bytes(feature);
    if (const std::size_t bytes = features_.size() + field_bytes(entry); bytes > features_.capacity()) {
        features_.reserve(bytes + kSmall);
    }
    append_head(features_, 1, entry);
    append_field(features_, 1, bytes_of(name));
    append_head(features_, 2, feature);
    append_head(features_, static_cast<unsigned>(kind), list);
    append_field(features_, 1, value);
}

Bytes ExampleWriter::message() const {
    Bytes message;
    message.reserve(field_bytes(features_.size()));
    append_field(message, 1, features_);
    return message;
}

}  // namespace sluice::records
