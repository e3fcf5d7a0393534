// Which features of a tf.train.Example become which fields of a sample.
#pragma once

#include <string>
#include <vector>

#include "record_formats/example.hpp"
#include "sluice/sdk/data.hpp"

namespace sluice::records {

struct ExampleField {
    std::string name;
    std::string feature;
    std::string kind;           // "encoded", "image", "label_map", "class"
    std::int64_t channels = 0;  // of an image: those of the first record, which all have
};

// As the options say, or by what is in the first record. Throws SLUICE_INVALID where that is nothing, and Damage where
// it lacks what the options name of an image.
std::vector<ExampleField> choose_fields(const sdk::Options& options, const Example& first);

// What describe() says of it.
void describe_field(const ExampleField& field, const sdk::FieldSink& sink);

// Throws Damage where the record has not one number there, or a text that is one.
double read_weight(const std::string& feature, const Example& example);

// Throws Damage where the record lacks it or it is something else.
void read_field(const ExampleField& field, const Example& example, std::int64_t first_class, std::uint32_t number,
                const sdk::SampleSink& sink);

}  // namespace sluice::records
