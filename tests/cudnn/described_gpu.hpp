// A GPU that exists only as a description. cuDNN plans for it without a driver, but such plans cannot run. Without a
// driver cuDNN refuses engines that are compiled at run time.
#pragma once

#include <string>

#include "graph/target.hpp"

namespace sluice::cudnn {

class DescribedGpu : public Target {
public:
    static DescribedGpu h200();
    static DescribedGpu a100();

    void bind_graph(Descriptor& /*graph*/) const override {}
    void bind_heuristics(Descriptor& heuristics) const override {
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, properties_);
    }
    void bind_engine(Descriptor& engine) const override { engine.set(CUDNN_ATTR_ENGINE_DEVICEPROP, properties_); }
    void bind_plan(Descriptor& plan) const override { plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, properties_); }
    [[nodiscard]] std::string name() const override { return name_; }

private:
    DescribedGpu(std::string name, const std::string& properties);

    std::string name_;
    Descriptor properties_;
};

}  // namespace sluice::cudnn
