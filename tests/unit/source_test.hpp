// A folder of files for one test, which runs inside it, and what a source makes of them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "data_test_chain.hpp"

namespace sluice::data {

// The name of a sample, and the number in its last field where that is a class number, else 0.
using Made = std::pair<std::string, std::int64_t>;

class SourceTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "source_test_XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    void TearDown() override {
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }

    static void write(const std::filesystem::path& file, const std::string& text) {
        if (file.has_parent_path()) {
            std::filesystem::create_directories(file.parent_path());
        }
        std::ofstream(file, std::ios::binary) << text;
    }

    // Of a source such as "use = \"photos\", folder = \"p\"", its samples in their order.
    static std::vector<Made> samples(const std::string& source) {
        const Chain chain = make_chain("source = { " + source + " }");
        Chain::Worker worker(chain);
        std::vector<Made> made;
        for (std::uint64_t i = 0; i < chain.length(); ++i) {
            const Sample& sample = worker.make(0, i);
            const NamedTensor& last = sample.fields.back();
            made.emplace_back(sample.name, last.role == SLUICE_FIELD_CLASS ? last.tensor.as<std::int64_t>()[0] : 0);
        }
        return made;
    }

    // The exit code and the message of a source that cannot be opened.
    static std::string refusal(const std::string& source) {
        return error_of([&] { make_chain("source = { " + source + " }"); });
    }

private:
    std::filesystem::path folder_;
    std::filesystem::path before_;
};

}  // namespace sluice::data
