// The common part of tests of the plugin's tables: loads the CUDA plugin, on the emulated GPU, and the CPU's plugins.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/device.hpp"

namespace sluice::test {

class PluginTest : public testing::Test {
protected:
    static const registry::Registry& plugins() {
        static const std::vector<std::filesystem::path> more{SLUICE_TEST_EMULATED_DIR};
        static const registry::Registry registry(SLUICE_TEST_PLUGIN_DIR, more);
        return registry;
    }

    static std::shared_ptr<const registry::Device> open(const std::string& kind) {
        return std::make_shared<const registry::Device>(plugins().find(registry::Kind::device, kind, {}), Table{}, 0);
    }

    template <class T>
    registry::Block upload(const std::vector<T>& values) const {
        registry::Block block(gpu_, values.size() * sizeof(T));
        gpu_->copy(block.data(), values.data(), block.size(), stream_.handle());
        gpu_->wait(stream_.handle());
        return block;
    }

    template <class T>
    std::vector<T> download(const registry::Block& block) const {
        std::vector<T> values(block.size() / sizeof(T));
        gpu_->copy(values.data(), block.data(), block.size(), stream_.handle());
        gpu_->wait(stream_.handle());
        return values;
    }

    [[nodiscard]] const std::shared_ptr<const registry::Device>& gpu() const { return gpu_; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }

private:
    std::shared_ptr<const registry::Device> gpu_ = open("emulated_cuda");
    registry::Stream stream_{gpu_};
};

template <class T>
T* as(const registry::Block& block) {
    return reinterpret_cast<T*>(block.data());
}

// Returns different numbers of magnitudes 1e-3 to 1e3.
inline std::vector<float> uneven_values(std::size_t count, float phase) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::sin(static_cast<float>(i) + phase) * std::pow(10.0F, static_cast<float>(i % 7) - 3.0F);
    }
    return values;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace sluice::test
