// The base class of transforms that work on whole batches; see kind/batch_transform.h.
#pragma once

#include <span>

#include "sluice/kind/batch_transform.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class BatchTransform : public Transform {
public:
    // Changes the fields that describe() reported in place; each is [batch, ...].
    virtual void apply_batch(WorkerContext& context, std::span<const sluice_tensor> fields,
                             const sluice_random_key& key) const = 0;
    void apply(WorkerContext&, std::span<const sluice_tensor>, const sluice_random_key&,
               const SampleSink&) const final {
        throw Failure(SLUICE_UNSUPPORTED, "it works on whole batches, which this host does not know");
    }
};

namespace detail {

template <class T>
inline constexpr sluice_batch_transform batch_transform_table = {
    .apply = [](void* self, void* context, const sluice_tensor* fields, std::uint32_t count,
                const sluice_random_key* key, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            static_cast<const T&>(*static_cast<Transform*>(self))
                .apply_batch(*static_cast<WorkerContext*>(context), {fields, count}, *key);
        });
    },
};

}  // namespace detail
}  // namespace sluice::sdk
