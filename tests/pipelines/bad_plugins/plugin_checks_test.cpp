// --plugin-checks: it changes no bit of a training, and it names a plugin that breaks the contract.
#include <cstdlib>

#include "pictures.hpp"
#include "replicas/replica_test.hpp"

namespace sluice::test {
namespace {

class PluginChecks : public ReplicaTest {
protected:
    // Trains tiny.toml without and with --plugin-checks, and expects the same tensors.
    void expect_same_bits_with(const std::string& what, const std::vector<std::string>& more = {}) {
        train(what, more);
        train(what + "_checked", joined(more, std::vector<std::string>{"--plugin-checks"}));
        expect_same_bits(what, what + "_checked");
    }
    static std::string faulty(const std::string& kind) {
        return std::string(SLUICE_TEST_FAULTY_DIR) + "/" + kind + ".so";
    }
};

TEST_F(PluginChecks, change_no_bit_of_what_is_trained) {
    write_tiny({kEveryStep});
    if (std::getenv("SLUICE_TEST_DEVICE") == nullptr) {
        for (const std::string kernels : {"reference", "onednn"}) {
            expect_same_bits_with(kernels, sets({"device.kernels=[\"" + kernels + "\",\"reference\"]"}));
        }
    }
    expect_same_bits_with("sgd", sets({"optimizer.use=sgd", "train.ema=0.9", "train.accumulate=2"}));
    expect_same_bits_with("adamw", sets({"optimizer.use=adamw", "optimizer.clip_norm=0.1"}));
    expect_same_bits_with("bfloat16", sets({"precision.use=mixed_bfloat16"}));
    expect_same_bits_with("float16", sets({"precision.use=mixed_float16"}));
    expect_same_bits_with("observed", sets({R"(observe.use=["progress","metrics","images"])"}));
    expect_same_bits_with("two_workers", sets({"data.workers=2"}));
}

TEST_F(PluginChecks, change_no_bit_of_what_replicas_train) {
    write_tiny(synchronized({{"count = 16", "count = 18"}}));
    expect_same_bits_with("mirrored", mirrored(2, kClipped));
    expect_same_bits_with("sharded", mirrored(3, {"strategy.bucket=256 B", "strategy.shard_optimizer=true"}));
}

TEST_F(PluginChecks, change_nothing_of_windows_of_pictures) {
    for (int i = 0; i < 6; ++i) {
        write("photos/" + std::to_string(i) + ".jpg", jpeg_of(make_picture(60 + i, 80), {}));
    }
    write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] }
map = [
)",
                 R"(source = { use = "photos", folder = "photos" }
map = [
  { use = "decode" },
  { use = "random_crop", size = [32, 32] },
)"},
                kWithoutValidation});
    expect_same_bits_with("windows");
}

TEST_F(PluginChecks, change_nothing_of_what_is_prepared_and_drained) {
    write_tiny();
    expect_success(host({"prepare", "tiny.toml", "--out", "plain"}));
    expect_success(host({"prepare", "tiny.toml", "--out", "checked", "--plugin-checks"}));
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder() / "plain")) {
        if (file.path().extension() != ".toml" && file.path().extension() != ".json") {
            EXPECT_EQ(read_bytes(file.path()), read_bytes(folder() / "checked" / file.path().filename()))
                << file.path();
            ++files;
        }
    }
    EXPECT_GT(files, 0U);
    expect_success(host({"drain", "tiny.toml", "--plugin-checks"}));
}

TEST_F(PluginChecks, name_the_plugin_that_keeps_what_it_was_lent) {
    write_tiny(
        {{"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n  { use = "
          "\"random_flip\"",
          "  { use = \"keeps_its_fields\" },\n  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", "
          "length = 5, angle = 0 },\n  { use = \"random_flip\""}});
    train("unnoticed", {"--plugin", faulty("transform")});
    expect_refused(host({"train", "tiny.toml", "--plugin", faulty("transform"), "--plugin-checks"}), 6,
                   {"plugin test.broken.transform 1.0 misbehaves: apply() of transform 'keeps_its_fields'",
                    "rule lent.kept: pointers are borrowed until the call returns"});
}

// An observer that fails does not stop the run, but its breach is reported and gives exit code 6.
TEST_F(PluginChecks, name_an_observer_at_the_end) {
    write_tiny({{"[checkpoint]\n", "[observe]\nuse = [\"rounds_down\"]\n\n[checkpoint]\n"}});
    train("unnoticed", {"--plugin", faulty("observer")});
    const Finished finished =
        host({"train", "tiny.toml", "--plugin", faulty("observer"), "--plugin-checks", "--run-folder", "run"});
    EXPECT_EQ(finished.exit, 6);
    expect_contains(finished.err, {"plugin test.broken.observer 1.0 misbehaves: on_event() of observer 'rounds_down'",
                                   "rule process.rounding"});
}

}  // namespace
}  // namespace sluice::test
