// tf.train.Example, the protocol buffer message in most TFRecord files: named features, each of which is a list of byte
// strings, floats or integers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"

namespace sluice::records {

enum class FeatureKind { empty, bytes, floats, integers };
const char* to_string(FeatureKind kind);

// Refers to the message's bytes.
struct Feature {
    FeatureKind kind = FeatureKind::empty;
    ByteSpan list{};  // the encoded list

    // Each function is for a feature of its kind. They throw Damage if the message is damaged.
    [[nodiscard]] std::vector<ByteSpan> byte_strings() const;
    [[nodiscard]] std::vector<std::int64_t> integers() const;
    [[nodiscard]] std::vector<float> floats() const;
};

// Refers to the message's bytes. If a name occurs twice, the later feature counts, as in every protocol buffer reader.
class Example {
public:
    // Throws Damage with the reason.
    static Example parse(ByteSpan message);
    [[nodiscard]] const std::vector<std::pair<std::string_view, Feature>>& features() const { return features_; }
    // Null if there is none.
    [[nodiscard]] const Feature* find(std::string_view name) const;

private:
    std::vector<std::pair<std::string_view, Feature>> features_;
};

// Adds features one after the other to a message. Throws Damage if one has more than 2 GiB, which no reader takes.
class ExampleWriter {
public:
    void add_bytes(std::string_view name, ByteSpan bytes);
    void add_integer(std::string_view name, std::int64_t number);
    [[nodiscard]] Bytes message() const;

private:
    void add(std::string_view name, FeatureKind kind, ByteSpan value);
    std::string features_;  // the encoded message tf.train.Features
};

}  // namespace sluice::records
