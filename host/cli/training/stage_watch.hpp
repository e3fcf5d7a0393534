// Tells every few seconds of a training what the stages of its input do, on a thread of its own.
#pragma once

#include <thread>

#include "data/loader/loader.hpp"

namespace sluice::cli {

class StageWatch {
public:
    // The loader lives longer.
    explicit StageWatch(const data::Loader& loader);
    // Tells of the whole time.
    ~StageWatch();
    StageWatch(const StageWatch&) = delete;
    StageWatch& operator=(const StageWatch&) = delete;

private:
    const data::Loader& loader_;
    data::LoaderFigures start_;
    std::jthread thread_;
};

}  // namespace sluice::cli
