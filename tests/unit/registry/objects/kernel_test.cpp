// A kernel's reports and requests while it is planned. The kernel is a table in this file, without a library.
#include "registry/objects/kernel.hpp"

#include <gtest/gtest.h>

#include "registry/loading/registry.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/tuning_cache.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

sluice_text text_of(const std::string& text) { return {text.data(), text.size()}; }

// Makes the calls that the kernel's option `does` names.
sluice_status plan_by_option(const std::string& does, const sluice_kernel_sink* sink) {
    const std::string key = "conv 3x3";
    if (does == "measures") {
        const sluice_text known = sink->recall(sink, text_of(key));
        std::string choice = known.len > 0 ? std::string(known.ptr, known.len) : "default";
        if (known.len == 0 && sink->may_measure != 0 && sink->threads != nullptr) {
            choice = "measured";
            sink->remember(sink, text_of(key), text_of(choice));
        }
        sink->set_note(sink, text_of(choice));
    } else if (does == "remembers a tab") {
        sink->remember(sink, text_of("conv\t3x3"), text_of(key));
    } else if (does == "remembers nothing") {
        sink->remember(sink, text_of(key), {});
    } else if (does == "overwrites") {
        sink->may_overwrite(sink, 0, 0);
        sink->may_overwrite_gradient(sink, 0, 0);
    } else if (does == "overwrites input 3") {
        sink->may_overwrite(sink, 3, 0);
    } else if (does == "saves all but 4096 bytes") {
        sink->add_saved(sink, std::uint64_t{0} - 4096);
    } else if (does == "works in 2^62 bytes") {
        sink->set_workspace(sink, std::uint64_t{1} << 62);
    } else if (does == "notes what a terminal obeys") {
        sink->set_note(sink, text_of("a\x1b[2J\nb\xff"));
    } else if (does == "overwrites a smaller gradient") {
        sink->may_overwrite_gradient(sink, 0, 1);
    }
    return SLUICE_OK;
}

const sluice_kernel kKernel = {
    [](const sluice_host*, const sluice_value* options, sluice_device_ref, void** self,
       sluice_error*) noexcept -> sluice_status {
        const sluice_value& value = options->as.pairs[0].value;
        *self = new std::string(value.as.text, value.count);
        return SLUICE_OK;
    },
    [](void* self) noexcept { delete static_cast<std::string*>(self); },
    [](void*, const sluice_node* const*, std::uint32_t, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; },
    [](void* self, const sluice_node* const*, std::uint32_t, const sluice_kernel_sink* sink, void** kernel,
       sluice_error*) noexcept -> sluice_status {
        *kernel = self;
        return plan_by_option(*static_cast<std::string*>(self), sink);
    },
    [](void*, void*) noexcept {},
    [](void*, const sluice_launch*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; },
    [](void*, const sluice_launch*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; }};

class PlannedKernel : public testing::Test {
protected:
    PlannedKernel() {
        manifest_.kind = sluice::registry::Kind::kernel;
        manifest_.id = "test.kernel";
        manifest_.provides = "fake";
        plugin_.id = "test";
        plugin_.version = "1.0";
        node_.inputs = inputs_;
        node_.input_count = 2;
        node_.outputs = inputs_;
        node_.output_count = 1;
        node_.chained_input = -1;
    }

    KernelNeeds plan(const std::string& does) {
        const Registry registry(SLUICE_TEST_PLUGIN_DIR, {});
        const Device device(registry.find(Kind::device, "cpu", {}), {}, 0);
        Table options;
        options.set("does", {does, {}});
        const KernelProvider provider({&manifest_, &plugin_, nullptr, &kKernel, nullptr, {}}, options, device);
        std::string refusal;
        return provider.plan(std::span(&node_, 1), "layer 'a'", {&threads_, &choices_}, refusal)->needs();
    }
    std::string failure(const std::string& does) {
        return test::error_of([&] { (void)plan(does); }, Exit::plugin);
    }

    const sluice_tensor_spec inputs_[2] = {make_spec(kFloat32, {2, 8}), make_spec(kFloat32, {2, 4})};
    sluice_node node_{};
    sluice_threads threads_{};
    ComponentManifest manifest_;
    PluginManifest plugin_;
    TuningCache choices_;
};

TEST_F(PlannedKernel, measures_once) {
    EXPECT_EQ(plan("measures").note, "measured");
    EXPECT_EQ(choices_.recall("fake", "conv 3x3"), "measured");
    choices_.remember("fake", "conv 3x3", "kept");
    EXPECT_EQ(plan("measures").note, "kept");
}

TEST_F(PlannedKernel, does_not_measure_if_it_may_not) {
    choices_ = TuningCache({}, false);
    EXPECT_EQ(plan("measures").note, "default");
    choices_.restore("fake\tconv 3x3\tof the checkpoint\n");
    EXPECT_EQ(plan("measures").note, "of the checkpoint");
}

TEST_F(PlannedKernel, says_what_may_share_memory) {
    const KernelNeeds needs = plan("overwrites");
    EXPECT_EQ(needs.in_place.size(), 1U);
    EXPECT_EQ(needs.in_place_gradients.size(), 1U);
}

TEST_F(PlannedKernel, says_nothing_that_a_terminal_obeys) {
    EXPECT_EQ(plan("notes what a terminal obeys").note, "a\\u001b[2J\\nb\\xff");
}

TEST_F(PlannedKernel, is_named_when_it_breaks_its_promises) {
    EXPECT_NE(failure("remembers a tab").find("control characters"), std::string::npos);
    EXPECT_NE(failure("remembers nothing").find("is empty"), std::string::npos);
    EXPECT_NE(failure("overwrites input 3")
                  .find("input 3 and output 0 may share memory, but the chain has 2 inputs and 1 outputs"),
              std::string::npos);
    EXPECT_NE(failure("saves all but 4096 bytes").find("what it saves for backward has 18446744073709547520 bytes"),
              std::string::npos);
    EXPECT_NE(failure("works in 2^62 bytes").find("its workspace has 4611686018427387904 bytes, which is more than"),
              std::string::npos);
    EXPECT_NE(failure("overwrites a smaller gradient").find("but have 32 and 64 bytes"), std::string::npos);
}

}  // namespace
}  // namespace sluice::registry
