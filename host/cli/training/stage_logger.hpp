// Logs every 10 seconds how busy each stage of the input is, on a thread of its own.
#pragma once

#include <thread>

#include "data/loader/loader.hpp"

namespace sluice::cli {

class StageLogger {
public:
    // The loader must outlive this object.
    explicit StageLogger(const data::Loader& loader);
    // Logs the figures of the whole time.
    ~StageLogger();
    StageLogger(const StageLogger&) = delete;
    StageLogger& operator=(const StageLogger&) = delete;

private:
    const data::Loader& loader_;
    data::LoaderFigures start_;
    std::jthread thread_;
};

}  // namespace sluice::cli
