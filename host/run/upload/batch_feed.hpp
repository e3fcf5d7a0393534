// Brings the fields of batches to where a program reads them: through a stage where the device's work runs later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "run/network/program.hpp"
#include "run/upload/batch_stage.hpp"

namespace sluice::run {

class BatchFeed {
public:
    // `staged`: batches that the stage holds; 0: there is none.
    BatchFeed(std::shared_ptr<const registry::Device> device, void* stream, std::size_t staged);

    // As BatchStage::make_room(), for batches of the program.
    void make_room(const Program& program);
    // Puts it on the stream. Returns the number by which the stage knows the batch.
    std::uint64_t feed(const Program& program, const data::Batch& batch);
    // Null where there is none.
    [[nodiscard]] BatchStage* stage() { return stage_ ? &*stage_ : nullptr; }
    [[nodiscard]] bool is_staged() const { return stage_.has_value(); }

private:
    std::span<const data::NamedTensor* const> fields_fed(const Program& program, const data::Batch& batch);

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    std::optional<BatchStage> stage_;
    std::vector<const data::NamedTensor*> fields_;
};

}  // namespace sluice::run
