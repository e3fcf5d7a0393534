// Sends the events of a run to an observer, as the host does.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/sdk/run.hpp"

namespace sluice::observers::tests {

using Scalars = std::vector<std::pair<std::string, double>>;

template <class T>
std::unique_ptr<sdk::Observer> open_board(const std::vector<sluice_pair>& options) {
    static constexpr sluice_host kHost{SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, nullptr,
                                       [](const sluice_host*, const char*) noexcept -> const void* { return nullptr; }};
    sluice_value table{};
    table.kind = SLUICE_TABLE;
    table.count = options.size();
    table.as.pairs = options.data();
    return std::make_unique<T>(sdk::Host(&kHost), sdk::Options(&table));
}

inline sluice_pair option(const char* name, std::uint32_t kind, std::int64_t number) {
    sluice_pair pair{sdk::text_of(name), {}};
    pair.value.kind = kind;
    pair.value.as.i = number;
    return pair;
}

inline sluice_pair option(const char* name, const char* text) {
    sluice_pair pair{sdk::text_of(name), {}};
    pair.value.kind = SLUICE_STRING;
    pair.value.count = std::string_view(text).size();
    pair.value.as.text = text;
    return pair;
}

// One second of the run passes with each step.
class BoardRun {
public:
    BoardRun(std::unique_ptr<sdk::Observer> observer, std::int64_t first_step)
        : observer_(std::move(observer)), first_step_(first_step) {
        send(SLUICE_EVENT_RUN_BEGIN, first_step, "run", {{"first_step", static_cast<double>(first_step)}});
    }
    void step(std::int64_t step, double loss) {
        send(SLUICE_EVENT_STEP, step, "",
             {{"loss", loss}, {"rate", 1.0 / static_cast<double>(step)}, {"step_seconds", 0.5}});
    }
    void steps(std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i <= last; ++i) {
            step(i, static_cast<double>(i));
        }
    }
    void evaluation(std::int64_t step, double psnr) {
        send(SLUICE_EVENT_EVALUATION, step, "", {{"validation_loss", 0.25}, {"psnr", psnr}});
    }
    void end(std::int64_t step, const std::string& outcome) { send(SLUICE_EVENT_RUN_END, step, outcome, {}); }
    void send(std::uint32_t kind, std::int64_t step, const std::string& text, const Scalars& scalars,
              const std::vector<sluice_named_tensor>& tensors = {}) {
        std::vector<sluice_scalar> all;
        for (const auto& [name, value] : scalars) {
            all.push_back({sdk::text_of(name), value});
        }
        sluice_event event{};
        event.struct_size = sizeof(event);
        event.kind = kind;
        event.epoch = 1;
        event.step = step;
        event.seconds = static_cast<double>(step - first_step_);
        event.text = sdk::text_of(text);
        event.scalars = all.data();
        event.scalar_count = all.size();
        event.tensors = tensors.data();
        event.tensor_count = tensors.size();
        observer_->on_event(event);
    }

private:
    std::unique_ptr<sdk::Observer> observer_;
    std::int64_t first_step_;
};

inline std::string content_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace sluice::observers::tests
