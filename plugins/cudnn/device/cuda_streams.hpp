// Events, and CUDA graphs that are captured once and replayed often.
#pragma once

#include <cuda_runtime.h>

#include "sluice/sdk/device.hpp"

namespace sluice::cudnn {

class CudaStreams : public sdk::Streams {
public:
    [[nodiscard]] void* event_create() override;
    void event_destroy(void* event) noexcept override;
    void event_record(void* event, void* stream) override;
    void stream_wait_event(void* stream, void* event) override;
    void event_wait(void* event) override;
    [[nodiscard]] double event_seconds(void* from, void* to) override;
    void capture_begin(void* stream) override;
    [[nodiscard]] void* capture_end(void* stream) override;
    void graph_launch(void* graph, void* stream) override;
    void graph_destroy(void* graph) noexcept override;

protected:
    // Makes the device's GPU the current one of the calling thread.
    [[nodiscard]] virtual cudaError_t select() const noexcept = 0;

private:
    void use() const;
};

}  // namespace sluice::cudnn
