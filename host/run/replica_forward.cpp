// What a replica makes of batches that it does not train on.
#include <cmath>

#include "run/batch_pieces.hpp"
#include "run/replica.hpp"

namespace sluice::run {

void Replica::prepare_to_evaluate(const data::Batch& batch) {
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const data::Batch& own = own_shards_.samples(shard, batch);
        last_ = &program(plan::Mode::evaluate, own.count > 0 ? own : own_shards_.first_sample(batch));
    }
}

void Replica::evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards) {
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const data::Batch& own = own_shards_.samples(shard, batch);
        if (own.count == 0) {
            continue;
        }
        Program& program = this->program(plan::Mode::evaluate, own);
        last_ = &program;
        round_parameters(weights().averaged());
        EvaluatedBatch& result = shards.emplace_back();
        result.names = own.names;
        Pieces pieces(own, program.plan.pieces);
        for (std::int64_t i = 0; i < program.plan.pieces; ++i) {
            feed_.feed(program, pieces[i]);
            program.executor->forward(version_);
            result.add(program, reader_);
        }
        for (std::int64_t i = 0; i < program.plan.pieces && !std::isfinite(result.loss.sum); ++i) {
            result.not_finite =
                result.not_finite.empty() ? layer_not_finite(pieces[i]).value_or("") : result.not_finite;
        }
    }
}

void Replica::predict(const data::Batch& batch) {
    Program& program = this->program(plan::Mode::predict, batch);
    last_ = &program;
    feed_.feed(program, batch);
    round_parameters(weights().averaged());
    program.executor->forward(version_);
}

}  // namespace sluice::run
