// Checkpoints that are truncated, altered or of another model: they are refused before anything is made from them.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class DamagedCheckpoint : public PipelineTest {
protected:
    DamagedCheckpoint() {
        write_tiny();
        train();
        write("picture.png", png_of(make_picture(20, 20)));
    }
    // Expects that each command that reads checkpoints refuses `bytes`.
    void expect_refused_everywhere(const std::string& bytes, const std::vector<std::string>& parts) {
        const std::string file = write("damaged.safetensors", bytes);
        expect_refused(host({"evaluate", file}), 2, parts);
        expect_refused(host({"predict", file, "--input", "picture.png", "--output", "out"}), 2, parts);
        expect_refused(host({"resume", "run", "--checkpoint", file}), 2, parts);
        EXPECT_FALSE(std::filesystem::exists(folder() / "out"));
    }
};

TEST_F(DamagedCheckpoint, torn) {
    const std::string bytes = read_bytes(checkpoint());
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{300}, bytes.size() - 1}) {
        expect_refused_everywhere(bytes.substr(0, length), {"damaged.safetensors", "not a whole"});
    }
}

TEST_F(DamagedCheckpoint, with_one_flipped_bit) {
    std::string bytes = read_bytes(checkpoint());
    for (const std::size_t from_end : {std::size_t{1}, std::size_t{1000}}) {
        std::string flipped = bytes;
        flipped[flipped.size() - from_end] ^= 0x10;
        expect_refused_everywhere(flipped, {"damaged.safetensors", "checksum"});
    }
}

TEST_F(DamagedCheckpoint, with_a_changed_header) {
    std::string bytes = read_bytes(checkpoint());
    const std::size_t at = bytes.find("\"step\":\"8\"");
    ASSERT_NE(at, std::string::npos);
    bytes[at + 8] = '9';
    expect_refused_everywhere(bytes, {"damaged.safetensors", "checksum"});
}

TEST_F(DamagedCheckpoint, that_is_none) {
    expect_refused(host({"evaluate", "tiny.toml"}), 2,
                   {"tiny.toml: not a safetensors file but text that begins with 'version = 1'"});
    write("a.pt", "PK\x03\x04 archive/data.pkl");
    expect_refused(host({"evaluate", "a.pt"}), 2, {"a.pt: not a safetensors file but a ZIP archive", "PyTorch's .pt"});
    expect_refused(host({"evaluate", "nothing.safetensors"}), 2, {"nothing.safetensors", "No such file"});
}

TEST_F(DamagedCheckpoint, of_another_model) {
    write_tiny({{"filters = 6", "filters = 7"}});
    expect_refused(host({"evaluate", checkpoint(), "--pipeline", "tiny.toml"}), 2,
                   {"last.safetensors", "tensor 'model/", "[6]", "[7]"});
}

TEST_F(DamagedCheckpoint, to_resume_from_has_an_older_one_beside_it) {
    const std::string bytes = read_bytes(checkpoint());
    std::filesystem::remove(checkpoint());
    write("run/checkpoints/last.safetensors", bytes.substr(0, bytes.size() / 2));
    expect_refused(host({"resume", "run"}), 2, {"last.safetensors", "step-00000008.safetensors", "--checkpoint"});
    expect_success(host({"resume", "run", "--checkpoint", checkpoint("run", "step-00000008")}));
}

// The newest numbered checkpoint is damaged as well; the resumed run moves it to the folder `left`.
TEST_F(DamagedCheckpoint, is_passed_over_if_the_last_one_is_missing) {
    const std::string last = read_bytes(checkpoint());
    std::filesystem::remove(checkpoint());
    expect_success(host({"resume", "run"}));
    EXPECT_TRUE(read_bytes(checkpoint()) == last);  // the run was finished, so nothing is trained
    for (const char* const name : {"last", "step-00000008"}) {
        std::filesystem::remove(checkpoint("run", name));
    }
    write("run/checkpoints/step-00000008.safetensors", last.substr(0, last.size() / 2));
    const Finished resumed = host({"resume", "run"});
    expect_success(resumed);
    expect_contains(resumed.err, {"W run/checkpoints/last.safetensors is missing; the run resumes from "
                                  "step-00000004.safetensors, the newest whole checkpoint"});
    EXPECT_TRUE(read_bytes(checkpoint()) == last);
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "left/step-00000008")));
    for (const char* const name : {"last", "step-00000004", "step-00000008"}) {
        std::filesystem::remove(checkpoint("run", name));
    }
    write("run/checkpoints/step-00000008.safetensors", last.substr(0, last.size() / 2));
    expect_refused(host({"resume", "run"}), 2,
                   {"there is no checkpoint to resume from", "last.safetensors is missing"});
}

}  // namespace
}  // namespace sluice::test
