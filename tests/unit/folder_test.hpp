// Gives each test a folder of its own. The test runs inside it, so that messages hold short names.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.hpp"

namespace sluice {

class FolderTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = make_temporary_folder();
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

private:
    std::filesystem::path folder_;
    std::filesystem::path before_;
};

}  // namespace sluice
