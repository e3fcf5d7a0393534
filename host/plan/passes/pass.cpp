#include "plan/passes/pass.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "base/log.hpp"
#include "plan/passes/verify.hpp"

namespace sluice::plan {
namespace {

struct Pass {
    const char* name;
    std::string (*run)(Plan& plan, const PassContext& context);
};

constexpr std::array kPasses{
    Pass{"precision", assign_precision}, Pass{"evaluation", leave_out_identities},
    Pass{"gradients", mark_gradients},   Pass{"parameters", lay_out_parameters},
    Pass{"kernels", choose_kernels},     Pass{"recompute", order_launches},
    Pass{"in place", share_in_place},    Pass{"arena", lay_out_arena},
};

}  // namespace

void run_passes(Plan& plan, const PassContext& context) {
    verify(plan, "building the graph");
    for (const Pass& pass : kPasses) {
        const auto start = std::chrono::steady_clock::now();
        std::string did = pass.run(plan, context);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        verify(plan, pass.name);
        log::debug(fmt::format("plan: {} took {:.1f} ms", pass.name, took.count() * 1e3));
        if (!did.empty()) {
            plan.passes.push_back({pass.name, std::move(did), took.count()});
        }
    }
}

}  // namespace sluice::plan
