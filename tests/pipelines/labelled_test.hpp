// Pipelines on data with class numbers, which the test plugin in labelled/ makes.
#pragma once

#include "pipeline_test.hpp"

namespace sluice::test {

class LabelledTest : public PipelineTest {
protected:
    // labelled.toml: 8 steps of 16 small pictures of stripes an epoch, 8 epochs, 4 classes, validation on 50 pictures.
    void write_classifier(const Replacements& replacements = {}) const;
    [[nodiscard]] Finished train_into(const std::string& run, const std::vector<std::string>& more = {}) const;
    // With the plugin.
    [[nodiscard]] Finished host(const std::vector<std::string>& arguments) const override;
};

}  // namespace sluice::test
