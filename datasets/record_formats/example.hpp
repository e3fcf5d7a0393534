// tf.train.Example, the three protocol buffer messages that TFRecord files usually hold: named features, each a list of
// byte strings, of floats or of integers.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"

namespace sluice::records {

enum class FeatureKind { empty, bytes, floats, integers };
const char* to_string(FeatureKind kind);

// Borrows the message.
struct Feature {
    FeatureKind kind = FeatureKind::empty;
    ByteSpan list{};  // the message of its list

    // Of a feature of that kind; throw Damage where the message is broken.
    [[nodiscard]] std::vector<ByteSpan> byte_strings() const;
    [[nodiscard]] std::vector<std::int64_t> integers() const;
    [[nodiscard]] std::vector<float> floats() const;
};

// Borrows the message. A later feature of the same name counts, as in every reader of such messages.
class Example {
public:
    // Throws Damage with what is wrong.
    static Example parse(ByteSpan message);
    [[nodiscard]] const std::vector<std::pair<std::string_view, Feature>>& features() const { return features_; }
    // NULL where there is none.
    [[nodiscard]] const Feature* find(std::string_view name) const;

private:
    std::vector<std::pair<std::string_view, Feature>> features_;
};

// Adds features one after the other to a message.
class ExampleWriter {
public:
    void add_bytes(std::string_view name, ByteSpan bytes);
    void add_integer(std::string_view name, std::int64_t number);
    [[nodiscard]] Bytes message() const;

private:
    void add(std::string_view name, FeatureKind kind, ByteSpan value);
    Bytes features_;
};

}  // namespace sluice::records
