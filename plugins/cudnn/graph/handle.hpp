// cuDNN's handle for a GPU, and that GPU as the target of plans.
#pragma once

#include "graph/target.hpp"

namespace sluice::cudnn {

class Handle : public Target {
public:
    // index: of the GPU. Throws if the GPU or cuDNN does not work.
    explicit Handle(int index);
    ~Handle() override;

    void bind_graph(Descriptor& graph) const override;
    void bind_heuristics(Descriptor& heuristics) const override;
    void bind_engine(Descriptor& engine) const override;
    void bind_plan(Descriptor& plan) const override;
    [[nodiscard]] std::string name() const override { return name_; }

    // Makes the GPU the current one of the calling thread.
    void select() const;
    // Later executions go to this stream.
    void use(void* stream) const;
    [[nodiscard]] cudnnHandle_t native() const { return handle_; }

private:
    int index_;
    cudnnHandle_t handle_ = nullptr;
    std::string name_;
};

}  // namespace sluice::cudnn
