// Copies of activations in the layout and type that oneDNN computes with. A copy lies in the workspace; there is none
// if layout and type are the same.
#pragma once

#include <optional>

#include "library/operation.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {

// For a tensor that oneDNN reads.
class StagedInput {
public:
    StagedInput(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
        : reorder_(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
          offset_(layout.take(reorder_ ? to.get_size() : 0)) {}

    // Returns `data`, or a copy of it that oneDNN can read; valid until the launch returns.
    const void* stage(const sluice_launch& launch, const void* data) {
        if (!reorder_) {
            return data;
        }
        reorder_->execute({{DNNL_ARG_FROM, data}, {DNNL_ARG_TO, at(launch, offset_)}});
        return at(launch, offset_);
    }

private:
    std::optional<Operation> reorder_;
    std::uint64_t offset_;
};

// For a tensor that oneDNN writes.
class StagedOutput {
public:
    StagedOutput(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
        : reorder_(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
          offset_(layout.take(reorder_ ? from.get_size() : 0)) {}

    // Returns the memory that oneDNN must write: `data`, or the place of its copy.
    [[nodiscard]] void* target(const sluice_launch& launch, void* data) const {
        return reorder_ ? at(launch, offset_) : data;
    }

    // Moves the result to `data`. Call it after oneDNN has written.
    void store(const sluice_launch& launch, void* data) {
        if (reorder_) {
            reorder_->execute({{DNNL_ARG_FROM, at(launch, offset_)}, {DNNL_ARG_TO, data}});
        }
    }

private:
    std::optional<Operation> reorder_;
    std::uint64_t offset_;
};

}  // namespace sluice::onednn
