#include "bench/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/machine.hpp"
#include "base/peaks/peak_rate.hpp"
#include "base/text/counted.hpp"
#include "bench/device_bandwidth.hpp"
#include "bench/device_rate.hpp"
#include "bench/launch_limit.hpp"
#include "bench/stepper.hpp"
#include "data/loader/loader.hpp"
#include "plan/launch_work.hpp"
#include "plan/plan_text.hpp"
#include "profile/process_figures.hpp"
#include "registry/optional/usage.hpp"
#include "run/schedule/schedule.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/setup/open_optimizer.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::bench {
namespace {

constexpr double kSeconds = 8.0;  // of steps, if their number is not given
constexpr std::size_t kFewestSteps = 5;
constexpr std::size_t kMostSteps = 200;
constexpr std::size_t kWarmUp = 2;
constexpr std::size_t kPipelinedWarmUp = 5;
constexpr double kSettleSeconds = 1.0;  // devices report averages over the last second at most
constexpr double kUsageSeconds = 3.0;
constexpr std::size_t kRounds = 4;  // how often the peak rate of arithmetic is measured

// Returns the batch that all steps use. The workers that made it have stopped.
data::Batch first_batch(const config::PipelineSpec& spec, const plan::Toolbox& tools, const data::Chain& chain,
                        std::span<const registry::Field> fields, int cores) {
    data::LoaderOptions options = run::loader_options(spec, true, cores);
    options.prefetch = 1;
    options.workers = options.most_workers;
    data::Loader loader(chain, options);
    loader.expect_labels(plan::build_graph(spec, tools, fields, plan::Mode::train).labels);
    loader.seek(0, 0);
    return loader.next();
}

// Returns how many more bytes of a device's memory are in use, by any process, than when it was opened. It is 0 for
// host memory.
std::uint64_t taken_bytes(const registry::Device& device) {
    const std::uint64_t before = device.info().free_bytes;
    return device.is_host_memory() ? 0 : before - std::min(before, registry::free_memory(device));
}

class Bench {
public:
    Bench(const config::PipelineSpec& spec, const registry::Registry& registry, const Request& request)
        : spec_(spec), limit_spec_(spec), registry_(registry), request_(request) {}

    Measurement run() {
        request_.progress("preparing data and plan");
        const data::Chain chain(spec_.data.train, registry_, static_cast<std::uint64_t>(spec_.seed), "data.train");
        const int cores = usable_cores();
        plan::Toolbox tools = plan::open_toolbox(spec_, registry_);
        limit_spec_.devices = {tools.device_spec};
        const registry::Optimizer optimizer = run::open_optimizer(spec_, registry_, tools.device->kind());
        const auto fields = run::batch_fields(chain, run::model_fields(spec_.model), spec_.data.batch);
        const data::Batch batch = first_batch(spec_, tools, chain, fields, cores);
        found_.resident_before = profile::resident_bytes();
        const int threads = run::thread_plan(spec_, tools, fields, plan::Mode::train, cores).threads;
        const run::PolicyChoice policy = run::settle_policy({spec_, optimizer, fields, threads}, tools);
        if (policy.asked == spec_.precision.use) {
            limit_spec_.precision = {policy.name, spec_.precision.origin, {}};
        }
        run::Replica replica(spec_, tools, &optimizer, fields, threads);
        found_.start_up_seconds = profile::seconds_since_start();
        expect_whole(replica.network().plan());
        works_ = plan::list_work(replica.network().plan());
        Stepper stepper(replica, tools.device, batch, run::scaled_rate(spec_));
        take_steps(stepper, threads);
        describe(replica, tools, threads, optimizer.states().size());
        measure_bandwidth_of(tools.device, threads);
        list_parts(stepper, replica.network().plan(), optimizer.states().size());
        return std::move(found_);
    }

private:
    // With micro-batches, each launch would run several times, and launch times would not add up to a step.
    static void expect_whole(const plan::Plan& plan) {
        if (plan.micro_batches > 1) {
            throw Error(Exit::config, fmt::format("bench measures whole batches only, but here {}; use --batch {}",
                                                  plan::micro_batches_text(plan), plan.batch));
        }
    }

    void take_steps(Stepper& stepper, int threads) {
        request_.progress("warm-up");
        // The second step may capture the graph; all later steps are alike.
        const double seconds = stepper.plain(stepper.is_pipelined() ? kPipelinedWarmUp : kWarmUp).back();
        // Read this before launch timing takes memory of its own.
        found_.device_peak = stepper.device().is_host_memory() ? 0 : stepper.device().blocks().most();
        found_.steps = request_.steps.value_or(
            std::clamp(static_cast<std::size_t>(kSeconds / (2.0 * seconds)), kFewestSteps, kMostSteps));
        const std::vector<double> plain =
            stepper.is_pipelined() ? take_rounds(stepper, threads) : alternate_steps(stepper, threads);
        found_.step = spread_of(plain);
        found_.timed_step = spread_of(stepper.whole);
        if (device_rate_) {
            device_rate_->raise(found_.peaks);
        }
    }

    // Alternates steps with and without launch timing, so that both see the machine in the same state.
    std::vector<double> alternate_steps(Stepper& stepper, int threads) {
        std::vector<double> plain;
        for (std::size_t i = 0; i < found_.steps; ++i) {
            request_.progress(fmt::format("step {} of {}", i + 1, found_.steps));
            plain.push_back(stepper.plain(1).front());
            stepper.timed();
            if ((i + 1) * kRounds / found_.steps > i * kRounds / found_.steps) {
                measure_peak(stepper.device(), threads);
                stepper.plain(1);  // fills the caches as a step leaves them
            }
        }
        return plain;
    }

    // Launch timing prevents captured graphs, so all steps without it come first.
    std::vector<double> take_rounds(Stepper& stepper, int threads) {
        request_.progress(counted(found_.steps, "step"));
        std::vector<double> plain = stepper.plain(found_.steps);
        watch_usage(stepper);
        for (std::size_t i = 0; i < found_.steps; ++i) {
            request_.progress(fmt::format("step {} of {}, launch by launch", i + 1, found_.steps));
            stepper.timed();
        }
        for (std::size_t i = 0; i < kRounds; ++i) {
            measure_peak(stepper.device(), threads);
        }
        return plain;
    }

    // If the number of steps is given, runs that many instead of some seconds.
    void watch_usage(Stepper& stepper) {
        request_.progress("device usage");
        const auto step_for = [&](double seconds) {
            const double end = now() + (request_.steps ? 0.0 : seconds);
            do {
                stepper.plain(found_.steps);
            } while (now() < end);
        };
        if (stepper.device().usage() != nullptr) {
            step_for(kSettleSeconds);
            UsageWatch watch(stepper.device());
            step_for(kUsageSeconds);
            found_.usage = watch.end();
        }
    }

    void measure_peak(const registry::Device& device, int threads) {
        request_.progress("peak rate of arithmetic");
        if (found_.resident_peak == 0) {  // before the first measurement takes memory
            found_.resident_peak = profile::peak_resident_bytes();
            found_.device_taken = taken_bytes(device);
        }
        if (device.is_host_memory()) {
            measure_cores(threads);
            return;
        }
        if (!device_rate_) {
            device_rate_.emplace(limit_spec_, registry_, threads);
        }
        device_rate_->measure();
    }

    // Measures the rate of each type in which the step multiplies.
    void measure_cores(int threads) {
        const run::Threads cores(threads);
        PeakRates round;
        for (const plan::LaunchWork& work : works_) {
            for (const sluice_dtype operands : {work.dtype, work.asked}) {
                if (work.done_flops > 0.0 && round.of(operands) == 0.0) {
                    round.raise(operands, measure_peak_rate(*cores.api(), operands));
                }
            }
        }
        for (const PeakRate& peak : round.all()) {
            found_.peaks.raise(peak.operands, peak.rate);
        }
    }

    // The convolutions by which a device was measured may not be its fastest. Cores have a peak that no kernel exceeds.
    void raise_to_launches(const Stepper& stepper) {
        for (const plan::LaunchWork& work : works_) {
            if (work.done_flops > 0.0) {
                found_.peaks.raise(work.dtype, work.done_flops / spread_of(stepper.times().of(work.launch)).least);
            }
        }
    }

    void measure_bandwidth_of(const std::shared_ptr<const registry::Device>& device, int threads) {
        request_.progress("memory bandwidth");
        found_.bandwidth = device->is_host_memory()
                               ? measure_bandwidth(*run::Threads(threads).api(), BandwidthEffort::thorough)
                               : measure_device_bandwidth(device);
    }

    void describe(const run::Replica& replica, const plan::Toolbox& tools, int threads, std::size_t states) {
        const plan::Plan& plan = replica.network().plan();
        found_.pipeline = spec_.name;
        found_.device = tools.device->info().name;
        found_.threads = threads;
        found_.batch = plan.batch;
        found_.parameters = plan::parameter_total(plan.graph);
        found_.predicted_arena = plan.memory.arena_bytes;
        found_.predicted_weights = plan::weight_bytes(plan, states, spec_.train.ema > 0.0).total();
    }

    void list_parts(const Stepper& stepper, const plan::Plan& plan, std::size_t states) {
        if (!stepper.device().is_host_memory()) {
            raise_to_launches(stepper);
        }
        for (const plan::LaunchWork& work : works_) {
            add({.direction = plan::name_of(work.launch.direction),
                 .path = work.path,
                 .types = work.types,
                 .shapes = work.shapes,
                 .kernel = work.kernel,
                 .note = work.note,
                 .seconds = spread_of(stepper.times().of(work.launch)),
                 .dtype = work.flops > 0.0 ? to_string(work.dtype) : "",
                 .flops = work.flops,
                 .done_flops = work.done_flops,
                 .bytes = work.bytes,
                 .peak = work.flops > 0.0 ? found_.peaks.of(work) : 0.0});
        }
        const auto numbers = static_cast<double>(plan.layout.parameter_count);
        add({.direction = "update",
             .path = "optimizer",
             .types = spec_.optimizer.use,
             .shapes = {},
             .kernel = {},
             .note = {},
             .seconds = spread_of(stepper.updates),
             .bytes = sizeof(float) * numbers * static_cast<double>(2 + states)});
        add({.direction = "rest",
             .path = "feeding and reading",
             .types = {},
             .shapes = {},
             .kernel = {},
             .note = {},
             .seconds = spread_of(stepper.rest)});
        compute_shares();
    }

    // Recomputed launches have a limit, but it does not count in the limit of the step.
    void add(Part part) {
        const LaunchLimit limit = launch_limit(part.done_flops, part.bytes, part.peak, found_.bandwidth);
        part.limit_seconds = limit.longer();
        found_.flops += part.flops;
        found_.done_flops += part.done_flops;
        found_.peak_seconds += limit.arithmetic;
        if (part.direction != plan::name_of(plan::Direction::recompute)) {
            found_.limit_seconds += limit.longer();
            found_.limit_sum_seconds += limit.sum();
        }
        found_.parts.push_back(std::move(part));
    }

    void compute_shares() {
        double sum = 0.0;
        for (const Part& part : found_.parts) {
            sum += part.seconds.median;
        }
        for (Part& part : found_.parts) {
            part.share = part.seconds.median / sum;
            found_.outside_convolutions += part.flops > 0.0 ? 0.0 : part.share;
        }
        std::ranges::stable_sort(found_.parts, std::ranges::greater{}, &Part::share);
    }

    const config::PipelineSpec& spec_;
    config::PipelineSpec limit_spec_;  // with the chosen policy, for the rate of a device
    const registry::Registry& registry_;
    const Request& request_;
    std::vector<plan::LaunchWork> works_;
    std::optional<DeviceRate> device_rate_;  // of a device other than the CPU
    Measurement found_;
};

}  // namespace

Measurement measure(const config::PipelineSpec& spec, const registry::Registry& registry, const Request& request) {
    return Bench(spec, registry, request).run();
}

}  // namespace sluice::bench
