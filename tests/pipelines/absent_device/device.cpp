#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

// It behaves like a GPU without a driver: its plugin loads, but the device cannot be used.
class AbsentDevice : public sdk::Device {
public:
    static std::uint32_t count(sdk::Host) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "there is no driver for it; install one");
    }
    AbsentDevice(sdk::Host, const sdk::Options&, std::uint32_t) { count_none(); }

    [[nodiscard]] sluice_device_info info() const override { count_none(); }
    [[nodiscard]] void* alloc(std::uint64_t) override { count_none(); }
    void free(void*) noexcept override {}
    [[nodiscard]] void* host_alloc(std::uint64_t) override { count_none(); }
    void host_free(void*) noexcept override {}
    [[nodiscard]] void* stream_create() override { count_none(); }
    void stream_destroy(void*) noexcept override {}
    void stream_wait(void*) override { count_none(); }
    void copy(void*, const void*, std::uint64_t, void*) override { count_none(); }
    void zero(void*, std::uint64_t, void*) override { count_none(); }

private:
    [[noreturn]] static void count_none() { throw sdk::Failure(SLUICE_DEVICE_LOST, "it was opened all the same"); }
};

class AbsentKernels : public sdk::KernelProvider {
public:
    AbsentKernels(const sdk::Host&, const sdk::Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain&) const override { return "computes nothing"; }
    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain&, const sdk::KernelSink&) override {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "computes nothing");
    }
};

constexpr sluice_component kComponents[] = {sdk::component<AbsentDevice>("test.device.absent"),
                                            sdk::component<AbsentKernels>("test.kernel.absent")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
