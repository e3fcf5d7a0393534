// A source, a transform, a layer, an optimizer and an observer that sleep, so that their time is known.
#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "noted_sleep.hpp"
#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

void sleep_in(const char* stage, std::int64_t milliseconds) {
    sluice::test::sleep_and_note(stage, std::chrono::milliseconds(milliseconds));
}

// Appends the calls to the allocator so far to the file that SLUICE_TEST_CALLS names, if the counter is preloaded.
void note_allocations() {
    using Count = unsigned long();
    static auto* const count = reinterpret_cast<Count*>(::dlsym(RTLD_DEFAULT, "sluice_test_allocations"));
    static const char* const name = std::getenv("SLUICE_TEST_CALLS");
    static const int file = name == nullptr ? -1 : ::open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (count == nullptr || file < 0) {
        return;
    }
    char line[32];
    const int length = std::snprintf(line, sizeof(line), "%lu\n", count());  // dprintf would allocate
    if (::write(file, line, static_cast<std::size_t>(length)) != length) {
        std::abort();  // the test would compare other steps
    }
}

// The host names the threads of replicas.
bool is_second_replica() {
    char name[16]{};
    return ::pthread_getname_np(::pthread_self(), name, sizeof(name)) == 0 && name == std::string_view("replica 1");
}

// Pairs of grey pictures.
class DelayedPairs final : public Source {
public:
    DelayedPairs(Host, const Options& options)
        : count_(options.integer("count")), sleep_(options.integer("sleep")), size_(options.integer("size")) {}

    void describe(const FieldSink& sink) const override {
        sink.field("blurred", SLUICE_FIELD_IMAGE, spec());
        sink.field("sharp", SLUICE_FIELD_IMAGE, spec());
        sink.length(static_cast<std::uint64_t>(count_));
    }
    void read(WorkerContext&, std::uint64_t index, std::uint64_t, const SampleSink& sink) const override {
        sink.name("pair " + std::to_string(index));
        sleep_in("read", sleep_);
        for (std::uint32_t field = 0; field < 2; ++field) {
            std::uint8_t* const to = sink.allocate(field, spec());
            std::fill_n(to, element_count(spec()), static_cast<std::uint8_t>(100 + index % 20 + field));
        }
    }

private:
    [[nodiscard]] sluice_tensor_spec spec() const { return make_spec(kUint8, {size_, size_, 3}); }

    std::int64_t count_;
    std::int64_t sleep_;
    std::int64_t size_;
};

class DelayedCopy final : public Transform {
public:
    DelayedCopy(Host, const Options& options) : sleep_(options.integer("sleep")) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        const auto found =
            std::ranges::find_if(fields, [](const sluice_field& field) { return view(field.name) == "blurred"; });
        place_ = static_cast<std::size_t>(found - fields.begin());
        sink.field("blurred", found->role, found->spec);
    }
    void apply(WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const SampleSink& sink) const override {
        sleep_in("preprocess", sleep_);
        const sluice_tensor& image = fields[place_];
        const sluice_tensor_spec spec = make_spec(image.dtype, {image.shape, static_cast<std::size_t>(image.rank)});
        std::copy_n(static_cast<const std::uint8_t*>(image.data) + image.byte_offset, element_count(spec),
                    sink.allocate(0, spec));
    }

private:
    std::int64_t sleep_;
    std::size_t place_ = 0;
};

// Gives what it gets.
class DelayedLayer final : public Layer {
public:
    DelayedLayer(Host, Options) {}
    [[nodiscard]] sluice_layer_traits traits() const override {
        sluice_layer_traits traits{};
        traits.role = SLUICE_ROLE_LAYER;
        traits.colour = SLUICE_COLOUR_INFER;
        traits.min_inputs = traits.max_inputs = 1;
        return traits;
    }
    void infer(std::span<const sluice_tensor_spec> inputs, const LayerSink& sink) const override {
        sink.output(inputs[0]);
    }
};

class DelayedKernel final : public Kernel {
public:
    explicit DelayedKernel(const Node& node)
        : count_(element_count(node.inputs()[0])),
          adds_(node.accumulates_gradient(0)),
          trains_(node.trains()),
          forward_(node.options().integer("forward")),
          backward_(node.options().integer("backward")),
          second_(node.options().integer("second")),
          sample_(node.options().number("sample") * static_cast<double>(node.inputs()[0].shape[0])) {}

    void forward(const sluice_launch& launch) override {
        if (trains_) {
            sleep_in("forward", forward_);
        }
        // A process that is paused does not go on with its step, so it sleeps for a millisecond at a time.
        for (double slept = 0.0; trains_ && slept < sample_; slept += 1.0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (trains_ && is_second_replica()) {
            sleep_in("second", second_);
        }
        std::copy_n(input<float>(launch, 0), count_, output<float>(launch, 0));
    }
    void backward(const sluice_launch& launch) override {
        sleep_in("backward", backward_);
        const float* const from = output_gradient<float>(launch, 0);
        float* const to = input_gradient<float>(launch, 0);
        for (std::int64_t i = 0; to != nullptr && i < count_; ++i) {
            to[i] = (adds_ ? to[i] : 0.0F) + from[i];
        }
    }

private:
    std::int64_t count_;
    bool adds_;
    bool trains_;
    std::int64_t forward_;
    std::int64_t backward_;
    std::int64_t second_;
    double sample_;  // milliseconds for all samples
};

class DelayedKernels final : public KernelProvider {
public:
    DelayedKernels(Host, Options, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        if (chain.size() != 1 || chain[0].type() != "test_delay" || !same(chain[0].compute(), kFloat32)) {
            return "only test_delay by itself, in float32";
        }
        return std::nullopt;
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink&) override {
        return std::make_unique<DelayedKernel>(chain[0]);
    }
};

class DelayedDescent final : public Optimizer {
public:
    DelayedDescent(Host, const Options& options) : sleep_(options.integer("sleep")) {}
    void describe(const OptimizerSink&) const override {}
    void update(const sluice_optimizer_launch& launch) const override {
        sleep_in("optimizer", sleep_);
        note_allocations();
        if (launch.scalars->skip == 0) {
            const auto step = static_cast<float>(launch.scalars->rate * launch.scalars->gradient_scale);
            for (std::uint64_t i = 0; i < launch.count; ++i) {
                launch.parameters[i] -= step * launch.gradients[i];
            }
        }
    }

private:
    std::int64_t sleep_;
};

class DelayedObserver final : public Observer {
public:
    DelayedObserver(Host, const Options& options) : sleep_(options.integer("sleep")) {}
    [[nodiscard]] std::uint64_t wants() const noexcept override { return 1U << SLUICE_EVENT_STEP; }
    void on_event(const sluice_event&) override { sleep_in("output", sleep_); }

private:
    std::int64_t sleep_;
};

constexpr sluice_component kComponents[] = {
    component<DelayedPairs>("test.source.delayed_pairs"), component<DelayedCopy>("test.transform.delayed_copy"),
    component<DelayedLayer>("test.layer.delay"),          component<DelayedKernels>("test.kernel.delay"),
    component<DelayedDescent>("test.optimizer.delayed"),  component<DelayedObserver>("test.observer.delayed"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
