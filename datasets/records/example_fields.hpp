// Maps features of a tf.train.Example to fields of a sample.
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
    std::int64_t channels = 0;  // of an image: those of the first record; all records must have as many
};

// Chooses by the options, or else by the content of the first record. Throws SLUICE_INVALID if that has no usable
// feature, and Damage if it lacks a feature that the options name for an image.
std::vector<ExampleField> choose_fields(const sdk::Options& options, const Example& first);

// Reports the field to describe()'s sink.
void describe_field(const ExampleField& field, const sdk::FieldSink& sink);

// Throws Damage unless the feature is exactly one number, or a text with a number.
double read_weight(const std::string& feature, const Example& example);

// Throws Damage if the record lacks the feature or it is of another kind.
void read_field(const ExampleField& field, const Example& example, std::int64_t first_class, std::uint32_t number,
                const sdk::SampleSink& sink);

}  // namespace sluice::records
