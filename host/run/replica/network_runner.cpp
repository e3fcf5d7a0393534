#include "run/replica/network_runner.hpp"

#include "plan/upload_slots.hpp"
#include "run/collective/sharing.hpp"

namespace sluice::run {

NetworkRunner::NetworkRunner(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                             const registry::Optimizer* optimizer, std::span<const registry::Field> fields, int threads,
                             const ReplicaPlace& place)
    : device_(tools.device),
      threads_(threads),
      stream_(device_),
      reader_(device_, stream()),
      scalars_(device_, sizeof(sluice_step_scalars)),
      clock_(device_, stream()),
      spans_(device_, stream(), place.rank),
      network_(spec, tools, optimizer, fields,
               {.stream = stream(),
                .scalars = scalars(),
                .threads = threads_.api(),
                .seed = static_cast<std::uint64_t>(spec.seed),
                .replicas = place.world > 1 ? replica_sums_.table() : nullptr,
                .shards_per_replica = place.shards / place.world,
                .checks_for_lost_replicas = place.is_one_of_several_processes && device_->is_host_memory(),
                .spans = &spans_},
               optimizer != nullptr ? update_share(spec, place.world, place.rank) : plan::UpdateShare{}),
      // The queue keeps batches in flight, since a step may turn out not to be finite and has to be computed again.
      feed_(device_, stream(), plan::upload_slots(network_.plan(), spec, *device_), spec.what_if.skips_upload),
      used_(&network_.first()) {}

Program& NetworkRunner::use(plan::Mode mode, const data::Batch& batch) {
    Program& program = network_.program(mode, batch);
    used_ = &program;
    return program;
}

std::optional<std::string> NetworkRunner::first_not_finite(const data::Batch& micro_batch) {
    replica_sums_.set(ReplicaSums::Share::alone);
    feed(micro_batch);  // earlier launches have reused the memory of the inputs
    return used_->executor->first_not_finite(network_.weights().version(),
                                             [&](plan::TensorId id) { return tensor(id); });
}

std::span<const float> NetworkRunner::gradient(plan::TensorId id) {
    const std::byte* const from = used_->executor->gradient(id);
    return from != nullptr ? reader_.read(used_->plan.graph.tensors[id].spec, from) : std::span<const float>{};
}

std::span<const float> NetworkRunner::parameter_gradients(std::uint64_t offset, std::int64_t count) {
    const auto* const from = reinterpret_cast<const std::byte*>(network_.weights().gradients() + offset);
    return reader_.read(make_spec(kFloat32, {{count}}), from);
}

}  // namespace sluice::run
