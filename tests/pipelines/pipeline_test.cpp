#include "pipeline_test.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "temporary_folder.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTiny = R"(version = 1
seed = 3

[data]
batch = 4
workers = 1

[data.train]
source = { use = "dead_leaves", count = 16, size = [32, 32] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 },
  { use = "random_flip", fields = ["blurred", "sharp"] },
]

[data.validation]
source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }]

[model]
input = "blurred"
target = "sharp"
layers = [
  { type = "conv2d", filters = 6, kernel = 3, padding = "reflect" },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "dropout", rate = 0.1 },
  { type = "conv2d", filters = 3, kernel = 3, padding = "reflect" },
  { type = "scale", factor = 0.1 },
  { type = "add", inputs = ["input", "previous"] },
]

[loss]
use = "mean_absolute_error"

[metrics]
use = ["psnr"]

[optimizer]
use = "adam"
rate = 1e-3

[schedule]
use = "cosine"

[train]
epochs = 2

[checkpoint]
every = "1 epoch"
keep = 2
)";

// SLUICE_TEST_DEVICE names the device on which tiny.toml trains ("cuda", "emulated_cuda"). Without it, that is the CPU.
std::string device_table() {
    const char* const named = std::getenv("SLUICE_TEST_DEVICE");
    if (named == nullptr) {
        return {};
    }
    return std::string("\n[device]\nuse = \"") + named + "\"\n";
}

// A safetensors file holds the length of its header, the header and the bytes of the tensors. The last two are
// returned.
std::pair<nlohmann::json, std::string> parts_of(const fs::path& checkpoint) {
    const std::string bytes = read_bytes(checkpoint);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof(length));
    return {nlohmann::json::parse(bytes.substr(sizeof(length), length)), bytes.substr(sizeof(length) + length)};
}

}  // namespace

std::string read_bytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file << " cannot be read";
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::map<std::string, std::string> metadata_of(const fs::path& checkpoint) {
    return parts_of(checkpoint).first.at("__metadata__");
}

std::map<std::string, std::vector<float>> tensors_of(const fs::path& checkpoint) {
    const auto [header, bytes] = parts_of(checkpoint);
    std::map<std::string, std::vector<float>> tensors;
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            const std::vector<std::size_t> range = entry.at("data_offsets");
            std::vector<float>& values = tensors[name];
            values.resize((range[1] - range[0]) / sizeof(float));
            std::memcpy(values.data(), bytes.data() + range[0], range[1] - range[0]);
        }
    }
    return tensors;
}

std::string tensor_bytes_of(const fs::path& checkpoint) { return parts_of(checkpoint).second; }

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

PipelineTest::PipelineTest() : process_options_{make_temporary_folder(), {}} {
    // Tests use neither plugins nor caches of the user who runs them.
    process_options_.environment = {{"XDG_DATA_HOME", (folder() / ".data").string()},
                                    {"SLUICE_CACHE", (folder() / ".cache").string()}};
    if (const char* const folder_of_device = std::getenv("SLUICE_TEST_DEVICE_PLUGINS")) {
        process_options_.environment["SLUICE_PLUGIN_PATH"] = folder_of_device;
    }
}

PipelineTest::~PipelineTest() {
    std::error_code ignored;
    fs::remove_all(folder(), ignored);
}

fs::path PipelineTest::write(const std::string& name, std::string_view bytes) const {
    const fs::path file = folder() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
}

void PipelineTest::write_pipeline(const std::string& name, std::string text, const Replacements& replacements) const {
    for (const auto& [from, to] : replacements) {
        ASSERT_EQ(count_of(text, from), 1U) << from;
        text.replace(text.find(from), from.size(), to);
    }
    write(name, text);
}

std::pair<std::string, std::string> with_layers(const std::string& layers) {
    constexpr std::string_view kBegin = "layers = [\n";
    const std::size_t begin = kTiny.find(kBegin) + kBegin.size();
    return {std::string(kTiny.substr(begin, kTiny.find("]\n\n", begin) - begin)), layers + "\n"};
}

void PipelineTest::write_tiny(const Replacements& replacements) const {
    write_pipeline("tiny.toml", std::string(kTiny) + device_table(), replacements);
}

Finished PipelineTest::host(const std::vector<std::string>& arguments) const {
    return HostProcess(arguments, process_options_).finish();
}

std::string PipelineTest::expect_output(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& parts) const {
    const Finished finished = host(arguments);
    expect_success(finished);
    expect_contains(finished.out, parts);
    return finished.out;
}

Finished PipelineTest::train(const std::string& run, const std::vector<std::string>& more) const {
    Finished finished = host(joined({"train", "tiny.toml", "--run-folder", run}, more));
    expect_success(finished);
    return finished;
}

int PipelineTest::train_and_kill(const std::string& run, int kills, std::mt19937& random, unsigned microseconds) const {
    std::vector<std::string> arguments{"train", "tiny.toml", "--run-folder", run};
    for (int done = 0; done < kills; ++done) {
        std::error_code not_there;
        const auto written = fs::last_write_time(checkpoint(run), not_there);
        HostProcess process(arguments, process_options_);
        if (!process.wait_for_newer(checkpoint(run), written)) {
            return done;  // the killed run had just saved its last step
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % microseconds));
        process.send(SIGKILL);
        if (process.finish().signal != SIGKILL) {
            return done;  // the run finished before the kill
        }
        arguments = {"resume", run};
    }
    return kills;
}

fs::path PipelineTest::checkpoint(const std::string& run, const std::string& name) const {
    return folder() / run / "checkpoints" / (name + ".safetensors");
}

std::vector<std::map<std::string, double>> PipelineTest::events(const std::string& run, std::string_view kind) const {
    std::vector<std::map<std::string, double>> all;
    for (const std::string& line : lines_of(read_bytes(folder() / run / "events.jsonl"))) {
        const nlohmann::json event = nlohmann::json::parse(line);
        if (event.at("kind") == kind) {
            auto& scalars = all.emplace_back();
            for (const auto& [name, value] : event.at("scalars").items()) {
                scalars[name] = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
            }
        }
    }
    return all;
}

std::vector<std::pair<int, std::string>> PipelineTest::epoch_hashes(const std::string& run) const {
    std::vector<std::pair<int, std::string>> found;
    for (const std::string& line : lines_of(read_bytes(folder() / run / "events.jsonl"))) {
        const nlohmann::json event = nlohmann::json::parse(line);
        if (const std::string hash = event.at("text"); event.at("kind") == "epoch_end" && !hash.empty()) {
            found.emplace_back(event.at("epoch").get<int>(), hash);
        }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::map<std::string, double> PipelineTest::scores(const fs::path& of_checkpoint,
                                                   const std::vector<std::string>& more) const {
    return nlohmann::json::parse(expect_output(joined({"evaluate", of_checkpoint, "--json"}, more)));
}

Finished PipelineTest::train_refused(const Replacements& replacements, int exit,
                                     const std::vector<std::string>& parts) const {
    write_tiny(replacements);
    Finished finished = host({"--pipeline", "tiny.toml", "--quiet"});
    expect_refused(finished, exit, parts);
    return finished;
}

void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
    }
}

void expect_success(const Finished& finished) {
    EXPECT_EQ(finished.exit, 0) << "signal " << finished.signal << "\n" << finished.err;
}

void expect_refused(const Finished& finished, int exit, const std::vector<std::string>& parts) {
    EXPECT_EQ(finished.exit, exit) << "signal " << finished.signal << "\n" << finished.out << finished.err;
    std::string error;
    for (const std::string& line : lines_of(finished.err)) {
        if (line.starts_with("E ")) {
            EXPECT_TRUE(error.empty()) << "a second error line: " << line;
            error = line;
        }
    }
    for (const std::string& part : parts) {
        EXPECT_TRUE(error.find(part) != std::string::npos) << "'" << part << "' is not in: " << finished.err;
    }
}

}  // namespace sluice::test
