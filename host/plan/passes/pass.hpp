// The passes that turn a graph into a plan, and the function that runs them. A pass returns a few words on what it did
// for the plan's listing; an empty text if it did nothing.
#pragma once

#include <string>

#include "base/error.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

// Thrown if no provider takes a layer.
class NoKernel : public Error {
public:
    // `reason` names the layer and gives the reasons of the providers.
    NoKernel(const std::string& place, const std::string& reason)
        : Error(Exit::config, place + ": " + reason), reason_(reason) {}
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    std::string reason_;
};

struct PassContext {
    const config::PipelineSpec& spec;
    const Toolbox& tools;
    const sluice_threads* threads = nullptr;  // of the replica
};

std::string assign_precision(Plan& plan, const PassContext& context);
std::string leave_out_identities(Plan& plan, const PassContext& context);
std::string mark_gradients(Plan& plan, const PassContext& context);
std::string lay_out_parameters(Plan& plan, const PassContext& context);
std::string choose_kernels(Plan& plan, const PassContext& context);
std::string order_launches(Plan& plan, const PassContext& context);
std::string share_in_place(Plan& plan, const PassContext& context);
std::string lay_out_arena(Plan& plan, const PassContext& context);

// Runs all passes in order, times each one and verifies the plan after it.
void run_passes(Plan& plan, const PassContext& context);

}  // namespace sluice::plan
