// A case for the usage figures of a device.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <tuple>

#include "check/cases/devices/device.hpp"
#include "check/cases/sized_struct.hpp"
#include "sluice/kind/usage.h"

namespace sluice::check {
namespace {

using Figures = sluice_usage_figures;

void set_unknown(Figures& figures) {
    figures.busy_share = figures.used_bytes = figures.power_watts = figures.celsius = figures.clock_hertz = -1.0;
}

void expect_sense(const Figures& figures) {
    constexpr double kMost = std::numeric_limits<double>::max();
    const std::array<std::tuple<const char*, double, double>, 5> all{{{"busy_share", figures.busy_share, 1.0},
                                                                      {"used_bytes", figures.used_bytes, kMost},
                                                                      {"power_watts", figures.power_watts, kMost},
                                                                      {"celsius", figures.celsius, kMost},
                                                                      {"clock_hertz", figures.clock_hertz, kMost}}};
    for (const auto& [name, value, most] : all) {
        expect(value == -1.0 || (value >= 0.0 && value <= most),
               fmt::format("read() reports {} = {}; expected -1 if it is unknown, else 0{}", name, value,
                           most == 1.0 ? " to 1" : " or more"));
    }
    expect(std::memchr(figures.limit, '\0', sizeof(figures.limit)) != nullptr,
           "read() leaves `limit` without a terminating NUL");
}

void reports_sensible_figures(Trial& trial) {
    need_interface(trial, SLUICE_USAGE_V1);
    const auto device = open_device(trial);
    const auto read = [&](Figures& figures) {
        set_unknown(figures);
        const Answer answer = ask(device->usage()->read, device->object().self(), &figures);
        trial.expect_reason(answer, "read() of the usage");
        if (answer.status == SLUICE_UNSUPPORTED) {
            throw CaseSkipped("the device knows no figures: " + answer.message);
        }
        expect(answer.status == SLUICE_OK, "read() of the usage fails: " + answer.message);
    };
    for (const bool is_larger : {false, true}) {
        SizedStruct<Figures> figures(is_larger);
        read(figures.value);
        expect(figures.is_intact(),
               "read() writes past the struct_size of sluice_usage_figures, or changes struct_size");
        expect_sense(figures.value);
    }
    // This is the struct of an older host that knows only the first two figures.
    constexpr std::size_t kKnown = offsetof(Figures, power_watts);
    Figures shorter{};
    shorter.struct_size = kKnown;
    read(shorter);
    expect(shorter.struct_size == kKnown && shorter.power_watts == -1.0 && shorter.celsius == -1.0 &&
               shorter.clock_hertz == -1.0 && shorter.limit[0] == '\0',
           "read() writes past the struct_size of a shorter sluice_usage_figures, or changes struct_size");
}

constexpr Case kUsageCases[] = {
    {"device.usage", "Figures are -1 or plausible, and nothing is written after the part that the host knows.",
     reports_sensible_figures},
};

}  // namespace

std::span<const Case> usage_cases() { return kUsageCases; }

}  // namespace sluice::check
