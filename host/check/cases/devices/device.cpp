// Cases for devices: memory, copies and streams, misuse that must not crash, and the device's part of a training step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "check/cases/devices/device.hpp"
#include "check/cases/sized_struct.hpp"
#include "check/numerics/workbench.hpp"
#include "registry/optional/step_calls.hpp"
#include "sluice/half.h"

namespace sluice::check {

std::shared_ptr<const registry::Device> open_device(Trial& trial) {
    try {
        return std::make_shared<const registry::Device>(trial.component(), trial.options(), 0);
    } catch (const Error& error) {
        if (error.exit() == Exit::device) {
            throw CaseSkipped(error.what());
        }
        throw;
    }
}

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes some_bytes(std::size_t count) {
    Bytes bytes(count);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{3});
    return bytes;
}

// Copies `bytes` from the host to the device, there to another block, and back to the host.
Bytes carried(const std::shared_ptr<const registry::Device>& device, const Bytes& bytes) {
    const registry::Stream stream(device);
    const registry::Block first(device, bytes.size());
    const registry::Block second(device, bytes.size());
    Bytes back(bytes.size());
    device->copy(first.data(), bytes.data(), bytes.size(), stream.handle());
    device->copy(second.data(), first.data(), bytes.size(), stream.handle());
    device->copy(back.data(), second.data(), bytes.size(), stream.handle());
    device->wait(stream.handle());
    return back;
}

class DeviceTestObject final : public TestObject {
public:
    explicit DeviceTestObject(Trial& trial) : device_(open_device(trial)) {}
    std::string use() override {
        const Bytes back = carried(device_, some_bytes(5000));
        return {back.begin(), back.end()};
    }

private:
    std::shared_ptr<const registry::Device> device_;
};

void describes_itself(Trial& trial) {
    const auto device = open_device(trial);
    const sluice_device_info& info = device->info();
    expect(info.name[0] != '\0', "info() reports no name");
    expect(info.free_bytes > 0, "info() reports no free memory");
    for (const std::uint64_t size : {1, 63, 64, 4097}) {
        const registry::Block block(device, size);
        expect(
            reinterpret_cast<std::uintptr_t>(block.data()) % info.alignment == 0,
            fmt::format("a block of {} bytes is not aligned to {} bytes, which info() reports", size, info.alignment));
    }
}

void copies_and_zeroes(Trial& trial) {
    const auto device = open_device(trial);
    for (const std::size_t size : {std::size_t{1}, std::size_t{17}, std::size_t{5001}, std::size_t{1} << 20}) {
        const Bytes bytes = some_bytes(size);
        expect(carried(device, bytes) == bytes,
               fmt::format("{} bytes do not survive a copy to the device and back", size));
        const registry::Stream stream(device);
        const registry::Block block(device, size + 2);
        const Bytes filled(size + 2, 0xFF);
        Bytes back(size + 2);
        device->copy(block.data(), filled.data(), filled.size(), stream.handle());
        device->zero(block.data() + 1, size, stream.handle());
        device->copy(back.data(), block.data(), back.size(), stream.handle());
        device->wait(stream.handle());
        Bytes right(size + 2, 0);
        right.front() = right.back() = 0xFF;
        expect(back == right,
               fmt::format("zero() of {} bytes leaves some of them unset, or sets bytes beside them", size));
    }
    const registry::Block pinned(device, 4096, registry::Block::Where::pinned_host);
    std::memset(pinned.data(), 7, pinned.size());
}

void stands_empty_blocks(Trial& trial) {
    const auto device = open_device(trial);
    const auto& table = *device->object().table();
    void* const self = device->object().self();
    table.free(self, nullptr);
    table.host_free(self, nullptr);
    table.stream_destroy(self, nullptr);
    const registry::Stream stream(device);
    for (const auto alloc : {table.alloc, table.host_alloc}) {
        void* block = nullptr;
        const Answer answer = ask(alloc, self, std::uint64_t{0}, &block);
        expect(answer.status == SLUICE_OK, "a block of 0 bytes is refused: " + answer.message);
        alloc == table.alloc ? table.free(self, block) : table.host_free(self, block);
    }
    const registry::Block block(device, 64);
    device->copy(block.data(), block.data() + 32, 0, stream.handle());
    device->zero(block.data(), 0, stream.handle());
    device->wait(stream.handle());
}

void reports_short_memory(Trial& trial) {
    const auto device = open_device(trial);
    const auto& table = *device->object().table();
    for (const std::uint64_t bytes : {std::uint64_t{1} << 52, std::numeric_limits<std::uint64_t>::max()}) {
        for (const auto alloc : {table.alloc, table.host_alloc}) {
            const std::string call =
                fmt::format("{}() of {} bytes", alloc == table.alloc ? "alloc" : "host_alloc", bytes);
            trial.doing(call);
            void* block = nullptr;
            const Answer answer = ask(alloc, device->object().self(), bytes, &block);
            trial.expect_reason(answer, call);
            expect(answer.status == SLUICE_NO_MEMORY,
                   fmt::format("{} returns status {}; expected SLUICE_NO_MEMORY", call, answer.status));
        }
    }
    const Bytes bytes = some_bytes(100);
    expect(carried(device, bytes) == bytes, "copies fail after an allocation that was too large");
}

void refuses_numbers_beyond(Trial& trial) {
    open_device(trial);
    const auto& table = trial.table<sluice_device>();
    std::uint32_t count = 0;
    expect(ask(table.count, trial.component().host, &count).status == SLUICE_OK, "count() fails the second time");
    const registry::OptionTree options(trial.options());
    for (const std::uint32_t index : {count, count + 1, std::numeric_limits<std::uint32_t>::max()}) {
        const std::string call = fmt::format("create() of device {} of {}", index, count);
        trial.doing(call);
        void* self = nullptr;
        const Answer answer = ask(table.create, trial.component().host, options.root(), index, &self);
        trial.expect_reason(answer, call);
        if (answer.status == SLUICE_OK) {
            trial.warn(call + " succeeds, though there is no such device");
            trial.destroy(self);
        }
    }
}

void device_takes_structs_of_any_size(Trial& trial) {
    const auto device = open_device(trial);
    for (const bool is_larger : {false, true}) {
        SizedStruct<sluice_device_info> info(is_larger);
        expect(ask(device->object().table()->info, device->object().self(), &info.value).status == SLUICE_OK &&
                   info.is_intact(),
               "info() writes past the struct_size of sluice_device_info, or changes struct_size");
    }
}

// ---- the training step

constexpr std::uint64_t kReserved = 0x5555;  // what a later minor version might keep in a reserved word

// A device that serves the step interface, with memory for its calls.
class Step {
public:
    explicit Step(Trial& trial) : device_(open_device(trial)) {
        if (device_->step() == nullptr) {
            throw CaseSkipped("the device does not serve " SLUICE_STEP_V1);
        }
        bench_ = std::make_unique<Workbench>(device_);
        calls_.emplace(device_, bench_->stream(), bench_->threads());
    }
    [[nodiscard]] const registry::StepCalls& calls() const { return *calls_; }

    template <class T>
    registry::Block upload(const std::vector<T>& values) const {
        registry::Block block(device_, values.size() * sizeof(T));
        device_->copy(block.data(), values.data(), block.size(), bench_->stream());
        device_->wait(bench_->stream());
        return block;
    }
    template <class T>
    std::vector<T> download(const registry::Block& block) const {
        std::vector<T> values(block.size() / sizeof(T));
        device_->copy(values.data(), block.data(), block.size(), bench_->stream());
        device_->wait(bench_->stream());
        return values;
    }
    // Calls decide() for a step with a scaled loss. Returns the report that it wrote.
    sluice_step_report decide(const sluice_step_rule& rule, sluice_step_report report, double loss) const {
        report.loss_sum = loss;
        report.loss_weight = 4.0;
        report.square_sum = 9.0;
        report.ending = SLUICE_STEP_DONE;
        sluice_step_scalars scalars{};
        scalars.loss_seed = report.loss_scale;
        std::ranges::fill(scalars.reserved, kReserved);
        const registry::Block own_report = upload(std::vector{report});
        const registry::Block own_scalars = upload(std::vector{scalars});
        calls_->decide(rule, at<sluice_step_scalars>(own_scalars), at<sluice_step_report>(own_report));
        last_ = download<sluice_step_scalars>(own_scalars).front();
        return download<sluice_step_report>(own_report).front();
    }
    [[nodiscard]] const sluice_step_scalars& scalars() const { return last_; }
    template <class T>
    static T* at(const registry::Block& block) {
        return reinterpret_cast<T*>(block.data());
    }

private:
    std::shared_ptr<const registry::Device> device_;
    std::unique_ptr<Workbench> bench_;
    std::optional<registry::StepCalls> calls_;
    mutable sluice_step_scalars last_{};
};

sluice_step_rule make_rule() {
    sluice_step_rule rule{};
    rule.struct_size = sizeof(rule);
    rule.scales_loss = 1;
    rule.has_norm = 1;
    rule.growth_interval = 3;
    rule.most_skips = 1000;
    rule.growth = 2.0;
    rule.backoff = 0.5;
    rule.floor = 1.0;
    rule.ceiling = 65536.0;
    return rule;
}

// The loss scale is kept in the report alone, so that a run can resume from a checkpoint. kind/step.h has the formulas.
void scales_through_overflows(Trial& trial) {
    const Step step(trial);
    const sluice_step_rule rule = make_rule();
    sluice_step_report report{};
    report.loss_scale = 32768.0;
    std::ranges::fill(report.reserved, kReserved);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 40; ++i) {
        report = step.decide(rule, report, kInfinity);
        expect(report.ending == SLUICE_STEP_SKIPPED && step.scalars().skip == 1,
               fmt::format("decide() does not skip a step with a loss that is not finite, after {} skipped steps", i));
    }
    expect(report.loss_scale == rule.floor && report.skips_in_row == 40,
           fmt::format("after 40 overflows the scale is {} and {} steps were skipped; expected {} and 40",
                       report.loss_scale, report.skips_in_row, rule.floor));
    for (int i = 0; i < 60; ++i) {
        report = step.decide(rule, report, 1.0);
        expect(report.ending == SLUICE_STEP_DONE && step.scalars().skip == 0,
               "decide() skips a step with a finite loss");
    }
    expect(report.loss_scale == rule.ceiling && report.updates == 60 && report.skips_in_row == 0,
           fmt::format("after 60 good steps the scale is {} and {} steps are counted; expected {} and 60",
                       report.loss_scale, report.updates, rule.ceiling));
    expect(std::ranges::count(report.reserved, kReserved) == std::ssize(report.reserved) &&
               std::ranges::count(step.scalars().reserved, kReserved) == std::ssize(step.scalars().reserved),
           "decide() writes to reserved words of the report or of the step's scalars");
}

void goes_on_from_a_report(Trial& trial) {
    const sluice_step_rule rule = make_rule();
    const auto run = [&](const Step& step, sluice_step_report report, int first, int last) {
        for (int i = first; i < last; ++i) {
            report = step.decide(rule, report, i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1.0);
        }
        return report;
    };
    sluice_step_report report{};
    report.loss_scale = 64.0;
    const Step step(trial);
    const sluice_step_report half = run(step, report, 0, 7);
    const sluice_step_report whole = run(step, half, 7, 20);
    const sluice_step_report resumed = run(Step(trial), half, 7, 20);
    const auto state_of = [](const sluice_step_report& one) {
        return std::tuple(one.loss_scale, one.updates, one.good_steps, one.skips_in_row, one.ending);
    };
    expect(state_of(whole) == state_of(resumed),
           "another object that continues from the same report gives another result");
}

void sums_and_averages(Trial& trial) {
    const Step step(trial);
    std::vector<float> values(1003);
    double right = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 0.001F * static_cast<float>(i % 97) - 0.04F;
        right += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
    const registry::Block block = step.upload(values);
    const registry::Block report = step.upload(std::vector{sluice_step_report{}});
    const std::uint64_t bytes = step.calls().workspace(values.size());
    const registry::Block workspace = step.upload(std::vector<std::uint8_t>(bytes + 1, 0xFF));
    auto* const own = Step::at<sluice_step_report>(report);
    std::array<double, 2> found{};
    for (double& sum : found) {
        step.calls().sum_squares(Step::at<float>(block), values.size(), own, workspace.data());
        sum = step.download<sluice_step_report>(report).front().square_sum;
    }
    expect(std::abs(found[0] - right) <= 1e-12 * right,
           fmt::format("sum_squares() gives {}; expected {}", found[0], right));
    expect(found[0] == found[1], "sum_squares() gives another sum the second time");
    step.calls().add_loss(Step::at<float>(block), 500, true, own);
    step.calls().add_loss(Step::at<float>(block), 1, false, own);
    double loss = values[0];
    double weight = values[1];
    for (std::size_t i = 0; i < 1000; i += 2) {
        loss += values[i];
        weight += values[i + 1];
    }
    const sluice_step_report sums = step.download<sluice_step_report>(report).front();
    expect(std::abs(sums.loss_sum - loss) < 1e-5 && std::abs(sums.loss_weight - weight) < 1e-5,
           fmt::format("add_loss() gives ({}, {}); expected ({}, {})", sums.loss_sum, sums.loss_weight, loss, weight));
}

void rounds_to_nearest_even(Trial& trial) {
    const Step step(trial);
    std::vector<float> values{0.0F,        -0.0F,      1.0F,     1.00390625F,
                              1.01171875F, 3.1415927F, 65519.0F, 65520.0F,
                              6e-8F,       -1e-30F,    -2.5F,    std::numeric_limits<float>::infinity()};
    const registry::Block block = step.upload(values);
    const registry::Block rounded = step.upload(std::vector<std::uint16_t>(values.size()));
    for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
        step.calls().round(rounded.data(), Step::at<float>(block), values.size(), dtype);
        const auto found = step.download<std::uint16_t>(rounded);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint16_t right =
                dtype == kBfloat16 ? sluice_bfloat16_of_float(values[i]) : sluice_float16_of_float(values[i]);
            expect(found[i] == right, fmt::format("round() of {} to {} gives bits {:#06x}; expected {:#06x}", values[i],
                                                  to_string(dtype), found[i], right));
        }
    }
}

Answer create_device(Trial& trial, const sluice_value* options, void** self) {
    return ask(trial.table<sluice_device>().create, trial.component().host, options, std::uint32_t{0}, self);
}

std::unique_ptr<TestObject> make_device_test_object(Trial& trial) { return std::make_unique<DeviceTestObject>(trial); }

constexpr Case kDeviceCases[] = {
    {"device.info", "The device has a name and memory, and blocks have the alignment that it reports.",
     describes_itself},
    {"device.copies", "Copies and zeroes reach all bytes and no others, to and from the host and within the device.",
     copies_and_zeroes},
    {"device.empty", "Blocks of 0 bytes, NULL to free and empty copies are no errors.", stands_empty_blocks},
    {"device.no_memory", "A block that is too large gives SLUICE_NO_MEMORY, and the device stays usable.",
     reports_short_memory},
    {"device.numbers", "create() of a device that does not exist fails with a reason.", refuses_numbers_beyond},
    {"device.struct_sizes", "Nothing is written after the known part of a larger struct.",
     device_takes_structs_of_any_size},
    {"device.overflows", "decide() skips overflows; the loss scale falls to its floor and grows again.",
     scales_through_overflows},
    {"device.resumes", "A step depends on the report of the previous step alone.", goes_on_from_a_report},
    {"device.sums", "Sums of squares and of losses are correct, and the same each time.", sums_and_averages},
    {"device.rounds", "round() rounds to nearest even, in both 16-bit types.", rounds_to_nearest_even},
};

}  // namespace

const KindCases& device_cases() {
    static const std::vector<Case> kAll =
        joined({kDeviceCases, stream_cases(), usage_cases(), device_time_cases(), device_activity_cases()});
    static const KindCases kDevice{{make_device_test_object, create_device, destroy_plain<sluice_device>}, kAll};
    return kDevice;
}

}  // namespace sluice::check
