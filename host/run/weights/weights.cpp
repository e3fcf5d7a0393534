#include "run/weights/weights.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "run/weights/initializers.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kPartElements = 16384;  // elements that one thread fills at once; a multiple of 4

// Calls work(i) for every i below count, on all threads: most of the time is spent on the first touch of the memory.
template <class Work>
void share(const sluice_threads& threads, std::size_t count, Work work) {
    threads.parallel_for(
        &threads, static_cast<std::int64_t>(count), 1,
        [](void* context, std::int64_t first, std::int64_t last, std::uint32_t) noexcept {
            for (std::int64_t i = first; i < last; ++i) {
                (*static_cast<Work*>(context))(static_cast<std::size_t>(i));
            }
        },
        &work);
}

}  // namespace

Weights::Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
                 std::span<const std::string> optimizer_states, bool averaged, const plan::UpdateShare& share)
    : Weights(std::move(device), plan, optimizer_states, share,
              plan::weight_bytes(plan, optimizer_states.size(), averaged, share)) {}

Weights::Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
                 std::span<const std::string> optimizer_states, const plan::UpdateShare& share,
                 const plan::WeightBytes& bytes)
    : device_(std::move(device)),
      parameter_infos_(plan.graph.parameters),
      running_infos_(plan.graph.states),
      layout_(plan.layout),
      buckets_(layout_.parameter_count, share),
      parameters_(device_, bytes.parameters),
      gradients_(device_, bytes.gradients),
      running_(device_, bytes.running),
      average_(device_, bytes),
      rounded_(device_, count()),
      rounded_average_(device_, count()),
      states_(device_, optimizer_states, buckets_, bytes.optimizer_states) {}

// Fills in the initial values of all parameters in their flat layout, and zeros in the gaps between them.
void Weights::fill_parameters(float* flat, std::uint64_t seed, const sluice_threads& threads) const {
    struct Part {
        std::size_t parameter;
        std::uint64_t first;
        std::uint64_t count;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < parameter_infos_.size(); ++i) {
        const auto whole = static_cast<std::uint64_t>(element_count(parameter_infos_[i].spec));
        for (std::uint64_t first = 0; first < whole; first += kPartElements) {
            parts.push_back({i, first, std::min(kPartElements, whole - first)});
        }
        const std::uint64_t end = i == 0 ? count() : layout_.parameters[i - 1];
        std::fill(flat + layout_.parameters[i] + whole, flat + end, 0.0F);
    }
    share(threads, parts.size(), [&](std::size_t p) {
        const Part& part = parts[p];
        fill_initial({flat + layout_.parameters[part.parameter] + part.first, part.count},
                     parameter_infos_[part.parameter], seed, part.first);
    });
}

void Weights::zero(const registry::Block& block, void* stream, const sluice_threads& threads) const {
    if (!device_->is_host_memory()) {
        device_->zero(block.data(), block.size(), stream);
        return;
    }
    constexpr std::uint64_t kPart = kPartElements * sizeof(float);
    share(threads, (block.size() + kPart - 1) / kPart, [&](std::size_t part) {
        std::memset(block.data() + part * kPart, 0, std::min(kPart, block.size() - part * kPart));
    });
}

void Weights::initialise(std::uint64_t seed, void* stream, const sluice_threads& threads) {
    if (device_->is_host_memory()) {
        fill_parameters(parameters(), seed, threads);
    } else {
        std::vector<float> host(count());
        fill_parameters(host.data(), seed, threads);
        device_->copy(parameters_.data(), host.data(), parameters_.size(), stream);
        device_->wait(stream);
    }

    std::vector<float> running(layout_.state_count, 0.0F);
    for (std::size_t i = 0; i < running_infos_.size(); ++i) {
        std::fill_n(running.begin() + static_cast<std::ptrdiff_t>(layout_.states[i]),
                    element_count(running_infos_[i].spec), static_cast<float>(running_infos_[i].initial));
    }
    device_->copy(running_.data(), running.data(), running_.size(), stream);

    zero(gradients_, stream, threads);
    for (const registry::Block& block : states_.blocks()) {
        zero(block, stream, threads);
    }
    restart_average(stream);
}

void Weights::keep_rounded(sluice_dtype dtype) {
    rounded_.keep(dtype);
    if (average_.is_kept()) {
        rounded_average_.keep(dtype);
    }
}

bool Weights::refresh_rounded(bool of_average, void* stream, const sluice_threads& threads) {
    return of_average ? rounded_average_.refresh(average_.parameters(), version_, stream, threads)
                      : rounded_.refresh(parameters(), version_, stream, threads);
}

void Weights::restart_average(void* stream) {
    average_.restart(parameters(), running(), stream);
    device_->wait(stream);
}

std::vector<WeightTensor> Weights::tensors() const {
    const auto at = [](float* flat, std::uint64_t offset) { return reinterpret_cast<std::byte*>(flat + offset); };
    std::vector<WeightTensor> all;
    for (std::size_t i = 0; i < parameter_infos_.size(); ++i) {
        const registry::ParameterInfo& info = parameter_infos_[i];
        all.push_back({"model/" + info.name, info.spec, at(parameters(), layout_.parameters[i])});
        if (average_.is_kept()) {
            all.push_back({"average/model/" + info.name, info.spec, at(average_.parameters(), layout_.parameters[i])});
        }
    }
    for (std::size_t s = 0; s < states_.names().size() && !buckets_.are_shared(); ++s) {
        std::ranges::move(tensors_of_state(s, states_.blocks()[s].data()), std::back_inserter(all));
    }
    for (std::size_t i = 0; i < running_infos_.size(); ++i) {
        const registry::StateInfo& info = running_infos_[i];
        all.push_back({"running/" + info.name, info.spec, at(running(), layout_.states[i])});
        if (average_.is_kept()) {
            all.push_back({"average/running/" + info.name, info.spec, at(average_.running(), layout_.states[i])});
        }
    }
    std::ranges::sort(all, {}, &WeightTensor::name);
    return all;
}

std::vector<WeightTensor> Weights::tensors_of_state(std::size_t state, std::byte* flat) const {
    std::vector<WeightTensor> all;
    for (std::size_t i = 0; i < parameter_infos_.size(); ++i) {
        const registry::ParameterInfo& info = parameter_infos_[i];
        all.push_back({"optimizer/" + states_.names()[state] + "/" + info.name, info.spec,
                       flat + layout_.parameters[i] * sizeof(float)});
    }
    return all;
}

}  // namespace sluice::run
