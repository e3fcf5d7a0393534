#include "data/chain/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/counted.hpp"
#include "registry/optional/class_names.hpp"
#include "registry/optional/identity.hpp"
#include "registry/optional/sampling.hpp"

namespace sluice::data {
namespace {

std::string describe(std::span<const registry::Field> fields) {
    std::string text;
    for (const registry::Field& field : fields) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name, to_string(field.spec));
    }
    return text;
}

bool are_alike(const registry::Field& a, const registry::Field& b) {
    return a.name == b.name && a.role == b.role && a.spec.dtype == b.spec.dtype && a.spec.rank == b.spec.rank;
}

// The weight of each sample, such that a class as a whole has its weight whatever the number of its samples.
std::vector<double> by_classes(const std::vector<std::int64_t>& classes, const config::SamplingSpec& spec,
                               std::span<const std::string> names) {
    std::unordered_map<std::int64_t, double> counts;  // a map, because class numbers may be arbitrarily large
    for (const std::int64_t number : classes) {
        counts[number] += 1.0;
    }
    const std::int64_t greatest = *std::ranges::max_element(classes);
    if (spec.use == config::SamplingKind::classes && std::cmp_greater_equal(greatest, spec.weights.size())) {
        throw Error(Exit::config, fmt::format("{}: sampling.weights has {}; the greatest class is {}; give one "
                                              "weight for each class from 0 on",
                                              to_string(spec.origin), counted(spec.weights.size(), "weight"),
                                              named(names, greatest)));
    }
    std::vector<double> weights;
    for (const std::int64_t number : classes) {
        const double of_class =
            spec.use == config::SamplingKind::classes ? spec.weights[static_cast<std::size_t>(number)] : 1.0;
        weights.push_back(of_class / counts[number]);
    }
    return weights;
}

// The options for create(): `own` and, if the manifest sets `sees_others`, the options of the pipeline's other sources.
Table options_with_others(const config::SourceSpec& source, const Table& own, const registry::Component& component,
                          const registry::Registry& registry) {
    Table options = own;
    if (component.manifest->sees_others) {
        Array others;
        for (const config::ComponentSpec& other : source.others) {
            others.push_back({registry.options(component, other), other.origin});
        }
        options.set(registry::kOthers, {std::move(others), source.component.origin});
    }
    return options;
}

ClassNames class_names_of_source(const registry::Source& source) {
    ClassNames names;
    for (std::size_t i = 0; i < source.fields().size(); ++i) {
        if (auto of_field = registry::class_names(source, static_cast<std::uint32_t>(i)); !of_field.empty()) {
            names[source.fields()[i].name] = std::move(of_field);
        }
    }
    return names;
}

// The names of the classes by which samples are drawn. Their field has the role SLUICE_FIELD_CLASS.
std::span<const std::string> names_of_drawn(const ClassNames& names, std::span<const registry::Field> fields) {
    const auto field = std::ranges::find(fields, std::int32_t{SLUICE_FIELD_CLASS}, &registry::Field::role);
    return field == fields.end() ? std::span<const std::string>() : names_of(names, field->name);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Sources::Sources(const config::StreamSpec& spec, const registry::Registry& registry) {
    for (const config::SourceSpec& source : spec.sources) {
        const config::ComponentSpec& wanted = source.component;
        const registry::Component component = registry.find(registry::Kind::source, wanted.use, wanted.origin);
        options_.push_back(registry.options(component, wanted));
        try {
            sources_.emplace_back(component, options_with_others(source, options_.back(), component, registry),
                                  wanted.origin);
        } catch (const Error& error) {
            throw SourceError(error.exit(), error.what());
        }
        draws_.length += sources_.back().length();
        ends_.push_back(draws_.length);
        if (source.weight) {
            draws_.parts.push_back({sources_.back().length(), *source.weight});
        }
    }
    draws_.blocks = {static_cast<std::uint64_t>(spec.order.block), static_cast<std::uint64_t>(spec.order.together)};
    join_fields(spec);
    join_class_names(spec);
    weigh(spec);
    for (const registry::Source& source : sources_) {
        if (auto windows = registry::WindowSource::of(source)) {
            windows_.push_back(std::move(*windows));
        }
    }
    const bool offer_the_same = std::ranges::all_of(windows_, [&](const registry::WindowSource& source) {
        return std::ranges::equal(source.has_windows(), windows_.front().has_windows());
    });
    if (windows_.size() < sources_.size() || !offer_the_same) {
        windows_.clear();
    }
}

std::span<const std::uint8_t> Sources::has_windows() const {
    return windows_.empty() ? std::span<const std::uint8_t>{} : windows_.front().has_windows();
}

void Sources::join_fields(const config::StreamSpec& spec) {
    const auto first = sources_.front().fields();
    fields_.assign(first.begin(), first.end());
    for (std::size_t i = 1; i < sources_.size(); ++i) {
        const auto others = sources_[i].fields();
        if (!std::ranges::equal(fields_, others, are_alike)) {
            throw Error(Exit::config,
                        fmt::format("{}: samples of source '{}' have the fields {}; those of '{}' before it have {}",
                                    to_string(spec.sources[i].component.origin), sources_[i].name(), describe(others),
                                    sources_.front().name(), describe(fields_)));
        }
        for (std::size_t field = 0; field < fields_.size(); ++field) {
            sluice_tensor_spec& joined = fields_[field].spec;
            for (std::int32_t axis = 0; axis < joined.rank; ++axis) {
                joined.shape[axis] = joined.shape[axis] == others[field].spec.shape[axis] ? joined.shape[axis] : -1;
            }
        }
    }
}

// Sources may name different numbers of classes; the longest list counts if the names agree.
void Sources::join_class_names(const config::StreamSpec& spec) {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        ClassNames names = class_names_of_source(sources_[i]);
        if (const auto conflict = find_conflict(class_names_, names)) {
            log::warn(fmt::format(
                "{}: class {} of field '{}' is '{}' in source '{}' but '{}' in the sources before it; class "
                "names are neither shown nor saved",
                to_string(spec.sources[i].component.origin), conflict->number, conflict->field, conflict->second,
                sources_[i].name(), conflict->first));
            class_names_.clear();
            return;
        }
        for (auto& [field, of_field] : names) {
            std::vector<std::string>& known = class_names_[field];
            if (known.size() < of_field.size()) {
                known = std::move(of_field);
            }
        }
    }
}

void Sources::weigh(const config::StreamSpec& spec) {
    if (spec.sampling.use == config::SamplingKind::uniform) {
        return;
    }
    if (!draws_.parts.empty()) {
        throw Error(Exit::config, fmt::format("{}: sampling '{}' and weights of sources exclude each other",
                                              to_string(spec.sampling.origin), config::name_of(spec.sampling.use)));
    }
    std::vector<double> weights;
    std::vector<std::int64_t> classes;
    for (const registry::Source& source : sources_) {
        if (spec.sampling.use == config::SamplingKind::weights) {
            append(weights, registry::sample_weights(source, spec.sampling.origin));
        } else {
            append(classes, registry::sample_classes(source, spec.sampling.origin));
        }
    }
    if (weights.empty()) {
        weights = by_classes(classes, spec.sampling, names_of_drawn(class_names_, fields_));
    }
    auto sums = std::make_shared<std::vector<double>>(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums->begin());
    if (sums->back() <= 0.0) {
        throw Error(Exit::config, fmt::format("{}: sampling '{}': the weights of all samples are 0",
                                              to_string(spec.sampling.origin), config::name_of(spec.sampling.use)));
    }
    draws_.weight_sums = std::move(sums);
}

std::string Sources::identity(const config::StreamSpec& spec) const {
    std::string text;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const config::ComponentSpec& wanted = spec.sources[i].component;
        text += fmt::format("{}data {}\n", registry::code_identity(sources_[i].object().component(), options_[i]),
                            registry::data_identity(sources_[i], wanted.origin));
    }
    return text;
}

bool Sources::depend_on_seed(const config::StreamSpec& spec) const {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const registry::ComponentManifest& component_manifest = *sources_[i].object().component().manifest;
        if (registry::randomness_of(component_manifest, spec.sources[i].component.options) !=
            registry::Drawing::never) {
            return true;
        }
    }
    return false;
}

std::string Sources::name() const {
    std::string text;
    for (const registry::Source& source : sources_) {
        text += (text.empty() ? "" : " + ") + source.name();
    }
    return text;
}

Sources::Worker::Worker(const Sources& sources) : sources_(sources) {
    for (const registry::Source& source : sources_.sources_) {
        contexts_.push_back(source.make_context());
    }
}

Sources::Worker::Place Sources::Worker::find(std::uint64_t index) const {
    const auto number =
        static_cast<std::size_t>(std::ranges::upper_bound(sources_.ends_, index) - sources_.ends_.begin());
    return {number, index - (number == 0 ? 0 : sources_.ends_[number - 1])};
}

void Sources::Worker::read(std::uint64_t index, std::uint64_t seed, registry::SampleWriter& writer) const {
    const Place place = find(index);
    sources_.sources_[place.source].read(contexts_[place.source], place.index, seed, writer);
}

void Sources::Worker::extents(std::uint64_t index, std::uint64_t seed, std::span<sluice_extent> extents) const {
    const Place place = find(index);
    sources_.windows_[place.source].extents(contexts_[place.source], place.index, seed, extents);
}

void Sources::Worker::read_windows(std::uint64_t index, std::uint64_t seed, std::span<const sluice_window> windows,
                                   registry::SampleWriter& writer) const {
    const Place place = find(index);
    sources_.windows_[place.source].read(contexts_[place.source], place.index, seed, windows, writer);
}

}  // namespace sluice::data
