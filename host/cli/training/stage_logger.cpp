#include "cli/training/stage_logger.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/log.hpp"
#include "profile/recorder.hpp"

namespace sluice::cli {
namespace {

constexpr std::chrono::seconds kInterval{10};

void log_stages(const char* when, const data::LoaderFigures& figures) {
    log::info(std::string("input, ") + when + ":\n" + to_text(figures, false));
}

}  // namespace

StageLogger::StageLogger(const data::Loader& loader)
    : loader_(loader), start_(loader.figures()), thread_([this](const std::stop_token& stop) {
          profile::name_thread(SLUICE_THREAD_OTHER, "stages");
          std::mutex mutex;
          std::condition_variable_any woken;
          std::unique_lock lock(mutex);
          data::LoaderFigures before = start_;
          while (!woken.wait_for(lock, stop, kInterval, [&] { return stop.stop_requested(); })) {
              const data::LoaderFigures figures = loader_.figures();
              log_stages("the last 10 seconds", figures.since(before));
              before = figures;
          }
      }) {}

StageLogger::~StageLogger() {
    thread_.request_stop();
    thread_.join();
    log_stages("in total", loader_.figures().since(start_));
}

}  // namespace sluice::cli
