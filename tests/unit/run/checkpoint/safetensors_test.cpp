#include "run/checkpoint/safetensors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"

namespace sluice::run {
namespace {

class Safetensors : public testing::Test {
protected:
    Safetensors()
        : file_(std::filesystem::path(testing::TempDir()) / ("st_" + std::to_string(::getpid()) + ".safetensors")) {}
    ~Safetensors() override { std::filesystem::remove(file_); }

    void write() const {
        const std::string_view bytes(reinterpret_cast<const char*>(values_.data()), sizeof(values_));
        const std::array<NamedBytes, 2> tensors{
            {{"a/kernel", make_spec(kFloat32, {2, 3}), bytes}, {"b", make_spec(kFloat32, {0}), {}}}};
        write_safetensors(file_, {{"step", "12"}, {"text", "two\nlines \"quoted\""}}, tensors);
    }
    [[nodiscard]] std::string refusal() const {
        try {
            (void)read_safetensors(file_);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    }

    std::filesystem::path file_;
    std::array<float, 6> values_{1, 2, 3, 4, 5, 6.5F};
};

TEST_F(Safetensors, come_back_as_they_were) {
    write();
    const SafetensorsFile read = read_safetensors(file_);
    ASSERT_NE(read.find("a/kernel"), nullptr);
    EXPECT_TRUE(read.find("a/kernel")->spec == make_spec(kFloat32, {2, 3}));
    EXPECT_EQ(read.find("a/kernel")->bytes,
              std::string_view(reinterpret_cast<const char*>(values_.data()), sizeof(values_)));
    EXPECT_EQ(read.find("b")->bytes.size(), 0U);
    EXPECT_EQ(read.metadata.at("step"), "12");
    EXPECT_EQ(read.metadata.at("text"), "two\nlines \"quoted\"");
}

TEST_F(Safetensors, the_same_input_gives_the_same_bytes) {
    write();
    const std::string once = read_file(file_);
    write();
    EXPECT_EQ(once, read_file(file_));
}

// The writer first puts zeros where the checksum will be. The metadata may hold the same digits.
TEST_F(Safetensors, may_hold_any_digits) {
    const std::string zeros(200, '0');
    write_safetensors(file_, {{"a", zeros}, {"z", "\"sha256\":\"" + zeros}}, {});
    const SafetensorsFile read = read_safetensors(file_);
    EXPECT_EQ(read.metadata.at("a"), zeros);
    EXPECT_EQ(read.metadata.at("z"), "\"sha256\":\"" + zeros);
}

// Without the key of the checksum, the file is one of another program. read_safetensors() accepts it, but a checkpoint
// needs the key.
TEST_F(Safetensors, every_flipped_byte_is_noticed) {
    write();
    const std::string whole = read_file(file_);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string flipped = whole;
        flipped[i] = static_cast<char>(flipped[i] ^ 0x04);
        std::ofstream(file_, std::ios::binary) << flipped;
        const bool foreign = flipped.find("\"sha256\"") == std::string::npos;
        EXPECT_TRUE(foreign || refusal() != "accepted") << "byte " << i;
    }
}

TEST_F(Safetensors, every_cut_is_noticed) {
    write();
    const std::string whole = read_file(file_);
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        std::ofstream(file_, std::ios::binary) << whole.substr(0, length);
        EXPECT_NE(refusal(), "accepted") << length << " bytes";
    }
}

}  // namespace
}  // namespace sluice::run
