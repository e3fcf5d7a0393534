// Stands in for the host: keeps choices by key between plans, and the last kernel's note and memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

class Memory {
public:
    explicit Memory(bool may_measure) {
        abi_.struct_size = sizeof(abi_);
        abi_.impl = this;
        abi_.may_measure = may_measure ? 1 : 0;
        abi_.recall = [](const sluice_kernel_sink* sink, sluice_text key) noexcept {
            const auto found = self(sink).choices.find(std::string(sdk::view(key)));
            return found == self(sink).choices.end() ? sluice_text{} : sdk::text_of(found->second);
        };
        abi_.remember = [](const sluice_kernel_sink* sink, sluice_text key, sluice_text choice) noexcept {
            self(sink).choices[std::string(sdk::view(key))] = sdk::view(choice);
        };
        abi_.set_note = [](const sluice_kernel_sink* sink, sluice_text text) noexcept {
            self(sink).note = sdk::view(text);
        };
        abi_.set_workspace = [](const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
            self(sink).workspace = bytes;
        };
        abi_.add_saved = [](const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
            self(sink).saved.push_back(bytes);
        };
        abi_.may_overwrite = [](const sluice_kernel_sink*, std::uint32_t, std::uint32_t) noexcept {};
        abi_.may_overwrite_gradient = [](const sluice_kernel_sink*, std::uint32_t, std::uint32_t) noexcept {};
        abi_.backward_reads_input = [](const sluice_kernel_sink*, std::uint32_t) noexcept {};
        abi_.reads_rounded_parameters = [](const sluice_kernel_sink*, sluice_dtype) noexcept {};
        abi_.set_arithmetic = [](const sluice_kernel_sink* sink, double forward, double backward) noexcept {
            self(sink).forward_flops = forward;
            self(sink).backward_flops = backward;
        };
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    [[nodiscard]] sdk::KernelSink sink() const { return sdk::KernelSink(&abi_); }

    std::map<std::string, std::string> choices;
    std::string note;
    std::uint64_t workspace = 0;
    std::vector<std::uint64_t> saved;
    double forward_flops = -1.0;
    double backward_flops = -1.0;

private:
    static Memory& self(const sluice_kernel_sink* sink) { return *static_cast<Memory*>(sink->impl); }

    sluice_kernel_sink abi_{};
};

}  // namespace sluice::cudnn
