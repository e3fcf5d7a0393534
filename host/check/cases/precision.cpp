// Cases for precision policies: choices depend on the question alone, and the loss scale stays a normal number.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "check/cases/sized_struct.hpp"
#include "check/contract/cases.hpp"
#include "registry/objects/precision.hpp"
#include "sluice/kind/layer.h"

namespace sluice::check {
namespace {

constexpr std::array kTypes{"conv2d", "dense", "relu", "batch_norm", "softmax", "no_such_type"};
constexpr std::array<std::int32_t, 4> kCategories{SLUICE_COLOUR_INFER, SLUICE_COLOUR_ALLOW, SLUICE_COLOUR_DENY,
                                                  SLUICE_COLOUR_CLEAR};

registry::Precision open_precision(Trial& trial) { return {trial.component(), trial.options(), {}}; }

// The policy's choices for each layer type and autocast category, as text.
std::string all_choices(const registry::Precision& policy) {
    std::string text;
    for (const char* const type : kTypes) {
        for (const std::int32_t colour : kCategories) {
            const sluice_precision_choice choice = policy.choose(type, "block/1/layer", colour);
            text += fmt::format("{} {} {} {} ", to_string(choice.storage), to_string(choice.compute),
                                to_string(choice.accumulate), choice.colour);
        }
    }
    return text;
}

class PrecisionTestObject final : public TestObject {
public:
    explicit PrecisionTestObject(Trial& trial) : policy_(open_precision(trial)) {}
    std::string use() override {
        const sluice_precision_traits& traits = policy_.traits();
        return all_choices(policy_) + fmt::format("{} {}", traits.loss_scale, traits.scale);
    }

private:
    registry::Precision policy_;
};

void answers_alike(Trial& trial) {
    const registry::Precision policy = open_precision(trial);
    const std::string first = all_choices(policy);
    expect(all_choices(policy) == first, "choose() gives other answers to the same questions the second time");
    for (const char* const path : {"", "a", "b/2"}) {
        const sluice_precision_choice here = policy.choose("conv2d", path, SLUICE_COLOUR_ALLOW);
        const sluice_precision_choice again = policy.choose("conv2d", path, SLUICE_COLOUR_ALLOW);
        expect(std::memcmp(&here, &again, sizeof(here)) == 0,
               fmt::format("choose() gives two different answers for the layer '{}'", path));
    }
}

void gives_wide_sums(Trial& trial) {
    const registry::Precision policy = open_precision(trial);
    for (const char* const type : kTypes) {
        const sluice_precision_choice choice = policy.choose(type, "layer", SLUICE_COLOUR_ALLOW);
        expect(choice.accumulate.bits >= choice.compute.bits,
               fmt::format("layer type '{}' multiplies in {}, but sums in {}", type, to_string(choice.compute),
                           to_string(choice.accumulate)));
    }
}

// The loss scale, updated as the host does after each step; see kind/precision.h.
class Scale {
public:
    explicit Scale(const sluice_precision_traits& traits) : traits_(traits), value_(traits.scale) {}
    void skipped() { value_ = std::max(value_ * traits_.backoff, traits_.floor); }
    void grown() { value_ = std::min(value_ * traits_.growth, traits_.ceiling); }
    void expect_sound(const std::string& when) const {
        expect(std::isnormal(static_cast<float>(value_)) && value_ > 0.0,
               fmt::format("the loss scale is {} {}, which is no normal number in float32", value_, when));
    }
    [[nodiscard]] double value() const { return value_; }

private:
    const sluice_precision_traits& traits_;
    double value_;
};

void outlives_a_burst_of_overflows(Trial& trial) {
    const registry::Precision policy = open_precision(trial);
    const sluice_precision_traits& traits = policy.traits();
    if (traits.loss_scale != SLUICE_LOSS_SCALE_DYNAMIC) {
        throw CaseSkipped("the policy's loss scale is not dynamic");
    }
    Scale scale(traits);
    scale.expect_sound("at the start");
    constexpr int kMany = 3000;
    for (int i = 0; i < kMany; ++i) {
        scale.skipped();
    }
    scale.expect_sound("after a burst of overflows");
    const double least = scale.value();
    for (int i = 0; i < kMany; ++i) {
        scale.grown();
    }
    scale.expect_sound("after it has grown many times");
    expect(scale.value() > least || traits.ceiling <= traits.floor,
           fmt::format("the loss scale never grows again from {}", least));
}

void precision_takes_structs_of_any_size(Trial& trial) {
    void* self = nullptr;
    const Answer created = trial.create(trial.options(), self);
    expect(created.status == SLUICE_OK, created.message);
    const auto& table = trial.table<sluice_precision>();
    for (const bool is_larger : {false, true}) {
        SizedStruct<sluice_precision_traits> traits(is_larger);
        expect(ask(table.traits, self, &traits.value).status == SLUICE_OK && traits.is_intact(),
               "traits() writes past the struct_size of sluice_precision_traits, or changes struct_size");
        SizedStruct<sluice_precision_query> query(is_larger);
        query.value.type = SLUICE_TEXT("conv2d");
        query.value.path = SLUICE_TEXT("layer");
        SizedStruct<sluice_precision_choice> choice(is_larger);
        const Answer answer = ask(table.choose, self, &query.value, &choice.value);
        expect(answer.status == SLUICE_OK,
               fmt::format("choose() fails with a {} struct: {}", is_larger ? "larger" : "small", answer.message));
        expect(choice.is_intact(),
               "choose() writes past the struct_size of sluice_precision_choice, or changes struct_size");
    }
    trial.destroy(self);
}

std::unique_ptr<TestObject> make_precision_test_object(Trial& trial) {
    return std::make_unique<PrecisionTestObject>(trial);
}

constexpr Case kPrecisionCases[] = {
    {"precision.pure", "The same question has the same answer.", answers_alike},
    {"precision.sums", "Sums have at least as many bits as products.", gives_wide_sums},
    {"precision.overflows", "The loss scale stays a normal number through a burst of overflows, and grows again.",
     outlives_a_burst_of_overflows},
    {"precision.struct_sizes",
     "Larger structs of a newer host are accepted, and nothing is written after their known part.",
     precision_takes_structs_of_any_size},
};

}  // namespace

const KindCases& precision_cases() {
    static constexpr KindCases kPrecision{
        {make_precision_test_object, create_plain<sluice_precision>, destroy_plain<sluice_precision>}, kPrecisionCases};
    return kPrecision;
}

}  // namespace sluice::check
