// Pipelines on data with class numbers, which the test plugin in labelled/ makes.
#pragma once

#include "pipeline_test.hpp"

namespace sluice::test {

class LabelledTest : public PipelineTest {
protected:
    // Writes labelled.toml: 8 epochs of 8 steps with 16 small pictures of stripes, 4 classes, validation on 50
    // pictures.
    void write_classifier(const Replacements& replacements = {}) const;
    [[nodiscard]] Finished train_into(const std::string& run, const std::vector<std::string>& more = {}) const;
    // Adds the plugin to the arguments.
    [[nodiscard]] Finished host(const std::vector<std::string>& arguments) const override;
};

}  // namespace sluice::test
