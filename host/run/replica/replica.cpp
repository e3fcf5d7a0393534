#include "run/replica/replica.hpp"

namespace sluice::run {

Replica::Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
                 std::span<const registry::Field> fields, int threads, const ReplicaPlace& place)
    : tools_(tools),
      runner_(spec, tools, optimizer, fields, threads, place),
      shards_(place),
      inference_(spec, tools, runner_, shards_) {
    if (optimizer != nullptr) {
        training_.emplace(spec, tools, *optimizer, place, runner_, shards_);
    }
}

}  // namespace sluice::run
