#include "bench/device_rate.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "bench/launch_times.hpp"
#include "config/load.hpp"
#include "plan/launch_work.hpp"
#include "run/replica/replica.hpp"
#include "run/setup/open_optimizer.hpp"

namespace sluice::bench {
namespace {

constexpr int kRepetitions = 2;

constexpr double kLongEnough = 1e-4;  // seconds per launch

// The first convolution computes no input gradient; the others compute both gradients.
constexpr const char* kModel = R"(
version = 1
data = { batch = 1, train.source.use = "none" }
loss.use = "mean_absolute_error"
optimizer.use = "adam"
[model]
input = "image"
target = "image"
layers = [{ block = "convolution", repeat = 3 }]
[model.blocks.convolution]
layers = [{ type = "conv2d", filters = 256, kernel = 3, padding = "same" }]
)";

config::PipelineSpec make_spec_of(const config::PipelineSpec& pipeline, const registry::Registry& registry) {
    config::PipelineSpec spec = config::load_pipeline_text(kModel, "convolutions", {});
    spec.devices = pipeline.devices;
    spec.precision = pipeline.precision;
    spec.strategy = pipeline.strategy;
    spec.kernels = plan::installed_providers(registry);
    for (config::ComponentSpec& provider : spec.kernels) {
        for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
            const bool has_winograd = manifest->provides == provider.use &&
                                      std::ranges::find(manifest->options, "winograd", &registry::OptionSchema::name) !=
                                          manifest->options.end();
            if (has_winograd) {
                provider.options.set("winograd", {false, {}});
            }
        }
    }
    return spec;
}

// The tools of a replica beside the one of `first`. It keeps its tuned kernels to itself.
plan::Toolbox open_beside(const plan::Toolbox& first, const config::PipelineSpec& spec) {
    plan::Toolbox tools = plan::open_toolbox_for_replica(first, spec, 0);
    tools.choices = std::make_shared<registry::TuningCache>(registry::TuningCache::default_file(), spec.measure);
    tools.planning = std::make_shared<std::mutex>();
    return tools;
}

data::Batch make_batch(std::int64_t count, std::int64_t side) {
    const sluice_tensor_spec spec = make_spec(kUint8, {count, side, side, 256});
    data::NamedTensor image{"image", SLUICE_FIELD_IMAGE, {spec, {}}};
    image.tensor.bytes.resize(byte_count(spec));
    for (std::size_t i = 0; i < image.tensor.bytes.size(); ++i) {
        image.tensor.bytes[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13);
    }
    data::Batch batch;
    batch.count = count;
    batch.fields.push_back(std::move(image));
    return batch;
}

}  // namespace

struct DeviceRate::State {
    State(const config::PipelineSpec& pipeline, const registry::Registry& registry)
        : spec(make_spec_of(pipeline, registry)),
          tools(plan::open_toolbox(spec, registry)),
          optimizer(run::open_optimizer(spec, registry, tools.device->kind())) {}
    State(const config::PipelineSpec& pipeline, const plan::Toolbox& first)
        : spec(make_spec_of(pipeline, *first.registry)),
          tools(open_beside(first, spec)),
          optimizer(run::open_optimizer(spec, *first.registry, tools.device->kind())) {}

    void prepare(const Size& size, int threads) {
        times.reset();
        replica.reset();
        batch = make_batch(size.batch, size.side);
        spec.data.batch = size.batch;
        const registry::Field image{"image", SLUICE_FIELD_IMAGE, batch.fields.front().tensor.spec};
        replica = std::make_unique<run::Replica>(spec, tools, &optimizer, std::span(&image, 1), threads);
        times.emplace(tools.device, replica->runner().stream(), replica->network().plan().steps.size());
        replica->training().compute_gradients(batch, {.step = ++step});  // warm-up of the kernels
        replica->network().set_launch_callback(&*times);
    }

    config::PipelineSpec spec;
    plan::Toolbox tools;
    registry::Optimizer optimizer;
    data::Batch batch;
    std::unique_ptr<run::Replica> replica;
    std::optional<LaunchTimes> times;
    std::uint64_t step = 0;
};

// The first size that takes kLongEnough is used. At 800 TFLOP/s a launch of the largest takes 0.2 ms.
const DeviceRate::Size DeviceRate::kSizes[] = {{1, 8}, {1, 64}, {32, 64}};
const DeviceRate::Size DeviceRate::kQuickSizes[] = {{1, 2}, {1, 64}, {32, 64}};

DeviceRate::DeviceRate(const config::PipelineSpec& pipeline, const registry::Registry& registry, int threads)
    : DeviceRate(std::make_unique<State>(pipeline, registry), kSizes, threads) {}

DeviceRate::DeviceRate(const config::PipelineSpec& pipeline, const plan::Toolbox& first, int threads)
    : DeviceRate(std::make_unique<State>(pipeline, first), kQuickSizes, threads) {}

DeviceRate::DeviceRate(std::unique_ptr<State> state, std::span<const Size> sizes, int threads)
    : state_(std::move(state)) {
    for (const Size& size : sizes) {
        state_->prepare(size, threads);
        measure();
        if (shortest() >= kLongEnough) {
            break;
        }
    }
}

// Returns the seconds of the shortest launch with arithmetic.
double DeviceRate::shortest() const {
    double seconds = std::numeric_limits<double>::infinity();
    for (const plan::LaunchWork& work : plan::list_work(state_->replica->network().plan())) {
        if (work.flops > 0.0) {
            seconds = std::min(seconds, *std::ranges::min_element(state_->times->of(work.launch)));
        }
    }
    return seconds;
}

DeviceRate::~DeviceRate() = default;

void DeviceRate::measure() {
    for (int i = 0; i < kRepetitions; ++i) {
        state_->replica->training().compute_gradients(state_->batch, {.step = ++state_->step});
        state_->times->end_step();
    }
}

void DeviceRate::raise(PeakRates& rates) const {
    for (const plan::LaunchWork& work : plan::list_work(state_->replica->network().plan())) {
        if (work.done_flops > 0.0) {
            rates.raise(work.dtype, work.done_flops / *std::ranges::min_element(state_->times->of(work.launch)));
        }
    }
}

}  // namespace sluice::bench
