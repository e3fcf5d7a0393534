// A device whose work runs as late as possible, with a stream. Its clock is the host's.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "registry/loading/registry.hpp"
#include "registry/objects/device.hpp"

namespace sluice::test {

class LaterDevice : public testing::Test {
protected:
    [[nodiscard]] const std::shared_ptr<const registry::Device>& device() const { return device_; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }
    void wait() const { device_->wait(stream()); }

private:
    static Table without_fault() {
        Table options;
        options.set("fault", {"none", {}});
        return options;
    }

    registry::Registry plugins_{SLUICE_TEST_FAULTY_DIR "/later_device.so", {}};
    std::shared_ptr<const registry::Device> device_ =
        std::make_shared<const registry::Device>(plugins_.find(registry::Kind::device, "none", {}), without_fault(), 0);
    registry::Stream stream_{device_};
};

}  // namespace sluice::test
