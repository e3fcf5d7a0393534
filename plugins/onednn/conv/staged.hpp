// Activations brought from where they are stored into the layout and type that oneDNN computes with, and back. The copy
// lies in the workspace; there is none where both are the same.
#pragma once

#include <optional>

#include "operation.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

// What is read.
class Staged {
public:
    Staged(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
        : reorder_(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
          offset_(layout.take(reorder_ ? to.get_size() : 0)) {}

    // The same values as oneDNN reads them.
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

// What is written.
class StagedResult {
public:
    StagedResult(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
        : reorder_(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
          offset_(layout.take(reorder_ ? from.get_size() : 0)) {}

    // Where oneDNN writes what belongs into `data`.
    [[nodiscard]] void* room(const sluice_launch& launch, void* data) const {
        return reorder_ ? at(launch, offset_) : data;
    }

    // After that.
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
