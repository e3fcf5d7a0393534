// The common part of tests of strategies on GPUs: replicas on emulated or real GPUs, and the errors if one is lost.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/strategy.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::test {

// One replica on its GPU.
struct Replica {
    explicit Replica(std::shared_ptr<const registry::Device> device, std::uint32_t number)
        : gpu(std::move(device)), stream(gpu), local(number) {}

    template <class T>
    registry::Block upload(const std::vector<T>& values) const {
        registry::Block block(gpu, values.size() * sizeof(T));
        gpu->copy(block.data(), values.data(), block.size(), stream.handle());
        gpu->wait(stream.handle());
        return block;
    }

    template <class T>
    std::vector<T> download(const registry::Block& block) const {
        std::vector<T> values(block.size() / sizeof(T));
        gpu->copy(values.data(), block.data(), block.size(), stream.handle());
        gpu->wait(stream.handle());
        return values;
    }

    [[nodiscard]] sluice_collective range_of(const registry::Block& block, std::uint32_t kind, std::string_view name,
                                             sluice_dtype dtype = kFloat32) const {
        return {.struct_size = sizeof(sluice_collective),
                .kind = kind,
                .replica = local,
                .data = block.data(),
                .count = block.size() / (dtype.bits / 8),
                .dtype = dtype,
                .wire = dtype,
                .name = {name.data(), name.size()},
                .threads = nullptr,
                .stream = stream.handle()};
    }

    void start(const registry::Strategy& strategy, const registry::Block& block, std::uint32_t kind,
               std::string_view name, sluice_dtype dtype = kFloat32) const {
        strategy.start(range_of(block, kind, name, dtype));
    }

    std::shared_ptr<const registry::Device> gpu;
    registry::Stream stream;
    std::uint32_t local;
};

class GpuMirrored : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        setenv("SLUICE_EMULATED_CUDA_DEVICES", "7", 1);
        setenv("SLUICE_EMULATED_CUDA_PRIORITIES", "1", 1);
        setenv("SLUICE_EMULATED_CUDA_CONNECTS", "1", 1);
    }
    void TearDown() override {
        unsetenv("SLUICE_EMULATED_CUDA_DEVICES");
        unsetenv("SLUICE_EMULATED_CUDA_PRIORITIES");
        unsetenv("SLUICE_EMULATED_CUDA_CONNECTS");
    }

    // Returns false if the machine has fewer.
    [[nodiscard]] static bool has_gpus(std::uint32_t count) {
        try {
            return registry::Device::count(plugins().find(registry::Kind::device, GetParam(), {})) >= count;
        } catch (const Error&) {
            return false;
        }
    }

    [[nodiscard]] static bool has_multi_worker() {
        const auto all = plugins().list(registry::Kind::strategy);
        return std::ranges::any_of(all, [](const registry::ComponentManifest* manifest) {
            return manifest->provides == "multi_worker" && manifest->device == GetParam();
        });
    }

    static registry::Strategy open(std::uint32_t replicas, const std::string& name = "mirrored",
                                   const std::string& wire = "float32") {
        Table options;
        options.set("replicas", {static_cast<std::int64_t>(replicas), {}});
        options.set("wire", {wire, {}});
        const registry::Component component = plugins().find(registry::Kind::strategy, name, {}, GetParam());
        return {component, plugins().options(component, {name, {}, options}), {}, 1};
    }

    // Runs each replica on a thread of its own.
    static void each(std::uint32_t count, const std::function<void(const Replica&)>& body) {
        std::vector<std::jthread> threads;
        for (std::uint32_t i = 0; i < count; ++i) {
            threads.emplace_back([&body, i] {
                const auto component = plugins().find(registry::Kind::device, GetParam(), {});
                body(Replica(std::make_shared<const registry::Device>(component, Table{}, i), i));
            });
        }
    }

    // Returns the error that `body` throws because a replica is lost.
    template <class Body>
    static std::string lost_error(const Body& body) {
        try {
            body();
        } catch (const Error& error) {
            EXPECT_EQ(error.exit(), Exit::replica_lost) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "nothing was thrown";
        return {};
    }

private:
    static const registry::Registry& plugins() {
        static const std::vector<std::filesystem::path> more{SLUICE_TEST_EMULATED_DIR};
        static const registry::Registry registry(SLUICE_TEST_PLUGIN_DIR, more);
        return registry;
    }
};

#define SKIP_WITHOUT_GPUS(count)                                                 \
    if (!has_gpus(count)) {                                                      \
        GTEST_SKIP() << "no " << (count) << " GPU(s) for device " << GetParam(); \
    }

inline void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace sluice::test
