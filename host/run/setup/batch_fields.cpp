#include "run/setup/batch_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/chain/sample.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kMostBatchBytes = std::uint64_t{1} << 48;

// Returns a sample for its shapes: the first that is not bad.
const data::Sample& any_sample(data::Chain::Worker& worker, std::uint64_t length) {
    constexpr std::uint64_t kTries = 16;
    const std::uint64_t last = std::min(length, kTries) - 1;
    for (std::uint64_t index = 0;; ++index) {
        try {
            return worker.make(0, index);
        } catch (const Error& error) {
            if (error.exit() != Exit::data || index == last) {
                throw;
            }
        }
    }
}

}  // namespace

std::vector<registry::Field> batch_fields(const data::Chain& chain, std::span<const std::string> names,
                                          std::int64_t batch) {
    std::vector<registry::Field> fields;
    std::unique_ptr<data::Chain::Worker> worker;
    const data::Sample* first = nullptr;
    for (const std::string& name : names) {
        const auto known = std::ranges::find(chain.fields(), name, &registry::Field::name);
        if (known == chain.fields().end()) {
            continue;  // the loader reports the missing field later, with the nearest name
        }
        registry::Field field = *known;
        if (std::ranges::any_of(shape_of(field.spec), [](std::int64_t extent) { return extent < 0; })) {
            if (first == nullptr) {
                worker = std::make_unique<data::Chain::Worker>(chain);
                first = &any_sample(*worker, chain.length());
            }
            field.spec = std::ranges::find(first->fields, name, &data::SampleField::name)->tensor.spec;
        }
        // Layers make larger tensors from this field, and their sizes must not overflow.
        if (const auto bytes = byte_count(field.spec); bytes > kMostBatchBytes / static_cast<std::uint64_t>(batch)) {
            throw Error(Exit::config, fmt::format("a batch of {} with the field '{}' of {} has more than {}; "
                                                  "use a smaller data.batch or smaller samples",
                                                  counted(batch, "sample"), name, to_string(field.spec), "256 TiB"));
        }
        std::vector<std::int64_t> shape{batch};
        shape.insert(shape.end(), field.spec.shape, field.spec.shape + field.spec.rank);
        field.spec = make_spec(field.spec.dtype, shape);
        fields.push_back(std::move(field));
    }
    return fields;
}

std::vector<std::string> model_fields(const config::ModelSpec& model) {
    std::vector<std::string> names{model.input};
    if (model.target != model.input) {
        names.push_back(model.target);
    }
    return names;
}

std::vector<std::string> fields_in_batches(const config::PipelineSpec& spec, const data::Chain& chain) {
    if (!spec.model.input.empty()) {
        return model_fields(spec.model);
    }
    std::vector<std::string> names;
    std::ranges::transform(chain.fields(), std::back_inserter(names), &registry::Field::name);
    return names;
}

}  // namespace sluice::run
