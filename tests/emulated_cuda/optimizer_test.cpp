// The optimizers of the GPU give the same bits as those of the CPU.
#include "registry/objects/optimizer.hpp"
#include "base/error.hpp"
#include "plugin_test.hpp"

namespace sluice::test {
namespace {

struct OptimizerCase {
    const char* name;
    const char* type;
    const char* options;
};

std::ostream& operator<<(std::ostream& out, const OptimizerCase& tested) { return out << tested.name; }

// Weights, gradients and states of one device's run.
struct Buffers {
    std::vector<float> weights;
    std::vector<float> gradients;
    std::vector<std::vector<float>> states;
};

class OptimizerTest : public PluginTest, public testing::WithParamInterface<OptimizerCase> {
protected:
    static registry::Optimizer optimizer(const std::string& device, const OptimizerCase& made) {
        const registry::Component component = plugins().find(registry::Kind::optimizer, made.type, {}, device);
        return {component, parse_toml(made.options, "test.toml"), {}};
    }

    static Buffers buffers(const registry::Optimizer& optimizer, std::size_t count) {
        Buffers made{uneven_values(count, 0.5F), uneven_values(count, 2.0F), {}};
        made.states.resize(optimizer.states().size(), std::vector<float>(count, 0.0F));
        return made;
    }

    static sluice_step_scalars scalars_of(std::uint64_t step) {
        sluice_step_scalars scalars{};
        scalars.rate = 0.037 / static_cast<double>(step);
        scalars.gradient_scale = 0.3;
        scalars.loss_seed = 1.0;
        scalars.step = step;
        return scalars;
    }

    static void update_on_cpu(const registry::Optimizer& optimizer, Buffers& on, std::size_t first,
                              const sluice_step_scalars& scalars) {
        std::vector<float*> states;
        for (std::vector<float>& state : on.states) {
            states.push_back(state.data() + first);
        }
        optimizer.update({.struct_size = sizeof(sluice_optimizer_launch),
                          .parameters = on.weights.data() + first,
                          .gradients = on.gradients.data() + first,
                          .states = states.data(),
                          .count = on.weights.size() - first,
                          .scalars = &scalars,
                          .threads = nullptr,
                          .stream = nullptr});
    }

    void update_on_gpu(const registry::Optimizer& optimizer, Buffers& on, std::size_t first,
                       const sluice_step_scalars& scalars) const {
        const registry::Block weights = upload(on.weights);
        const registry::Block gradients = upload(on.gradients);
        const registry::Block step = upload(std::vector<sluice_step_scalars>{scalars});
        std::vector<registry::Block> blocks;
        std::vector<float*> states;
        for (const std::vector<float>& state : on.states) {
            blocks.push_back(upload(state));
            states.push_back(as<float>(blocks.back()) + first);
        }
        optimizer.update({.struct_size = sizeof(sluice_optimizer_launch),
                          .parameters = as<float>(weights) + first,
                          .gradients = as<float>(gradients) + first,
                          .states = states.data(),
                          .count = on.weights.size() - first,
                          .scalars = as<sluice_step_scalars>(step),
                          .threads = nullptr,
                          .stream = stream()});
        on.weights = download<float>(weights);
        for (std::size_t s = 0; s < blocks.size(); ++s) {
            on.states[s] = download<float>(blocks[s]);
        }
    }

    // Runs three steps over all elements except the first `first`.
    void expect_the_same_bits(std::size_t count, std::size_t first) const {
        const registry::Optimizer cpu = optimizer("cpu", GetParam());
        const registry::Optimizer gpu = optimizer("emulated_cuda", GetParam());
        Buffers right = buffers(cpu, count);
        Buffers found = buffers(gpu, count);
        ASSERT_EQ(found.states.size(), right.states.size());
        for (std::uint64_t step = 1; step <= 3; ++step) {
            update_on_cpu(cpu, right, first, scalars_of(step));
            update_on_gpu(gpu, found, first, scalars_of(step));
        }
        EXPECT_FALSE(same_bits(found.weights, buffers(cpu, count).weights)) << count;
        EXPECT_TRUE(same_bits(found.weights, right.weights)) << count;
        for (std::size_t s = 0; s < right.states.size(); ++s) {
            EXPECT_TRUE(same_bits(found.states[s], right.states[s])) << count << ", state " << s;
        }
    }
};

TEST_P(OptimizerTest, gives_the_bits_of_the_cpu) {
    for (const std::size_t count : {1, 3, 4, 7, 1024, 5003}) {
        expect_the_same_bits(count, 0);
    }
}

TEST_P(OptimizerTest, takes_a_range_that_starts_anywhere) {
    for (const std::size_t first : {1, 2, 3}) {
        expect_the_same_bits(1026, first);
    }
}

TEST_P(OptimizerTest, leaves_a_skipped_step_alone) {
    const registry::Optimizer gpu = optimizer("emulated_cuda", GetParam());
    const Buffers before = buffers(gpu, 1001);
    Buffers after = before;
    sluice_step_scalars scalars = scalars_of(1);
    scalars.skip = 1;
    update_on_gpu(gpu, after, 0, scalars);
    EXPECT_TRUE(same_bits(after.weights, before.weights));
    EXPECT_EQ(after.states, before.states);
}

INSTANTIATE_TEST_SUITE_P(
    Gpu, OptimizerTest,
    testing::Values(OptimizerCase{"sgd", "sgd", "momentum = 0.0\nnesterov = false\nweight_decay = 0.01"},
                    OptimizerCase{"momentum", "sgd", "momentum = 0.9\nnesterov = false\nweight_decay = 0.0"},
                    OptimizerCase{"nesterov", "sgd", "momentum = 0.9\nnesterov = true\nweight_decay = 0.01"},
                    OptimizerCase{"adam", "adam", "beta1 = 0.9\nbeta2 = 0.999\nepsilon = 1e-8\nweight_decay = 0.01"},
                    OptimizerCase{"adamw", "adamw", "beta1 = 0.8\nbeta2 = 0.99\nepsilon = 1e-6\nweight_decay = 0.1"}),
    [](const auto& tested) { return tested.param.name; });

class OptimizerOptionsTest : public OptimizerTest {};

TEST_P(OptimizerOptionsTest, are_checked_as_on_the_cpu) {
    const auto refusal = [](const std::string& device) -> std::string {
        try {
            (void)optimizer(device, GetParam());
        } catch (const Error& error) {
            return error.what();
        }
        return "taken";
    };
    const std::string right = refusal("cpu");
    EXPECT_NE(right, "taken");
    // Only the plugin's name, in brackets at the end, differs.
    const std::string found = refusal("emulated_cuda");
    EXPECT_EQ(found.substr(0, found.rfind(" (")), right.substr(0, right.rfind(" (")));
}

INSTANTIATE_TEST_SUITE_P(
    Gpu, OptimizerOptionsTest,
    testing::Values(OptimizerCase{"nesterov", "sgd", "momentum = 0.0\nnesterov = true\nweight_decay = 0.0"},
                    OptimizerCase{"beta1", "adam", "beta1 = 1.0\nbeta2 = 0.99\nepsilon = 1e-8\nweight_decay = 0.0"},
                    OptimizerCase{"beta2", "adamw", "beta1 = 0.9\nbeta2 = 1.0\nepsilon = 1e-8\nweight_decay = 0.0"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace sluice::test
