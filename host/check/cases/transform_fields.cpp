// Cases for transforms that get fields which they cannot use or may not expect.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "check/cases/transform_samples.hpp"

namespace sluice::check {
namespace {

// The transform must write accepted fields completely, and refuse others with SLUICE_INVALID.
void expect_sample_taken_or_refused(Trial& trial, const Sample& sample, const std::string& what) {
    trial.doing(what);
    std::optional<FittedTransform> transform;
    try {
        transform.emplace(trial, sample);
    } catch (const Error& error) {
        expect(error.exit() == Exit::config,
               fmt::format("{}, describe() fails with a status other than SLUICE_INVALID: {}", what, error.what()));
        if (!error.has_reason()) {
            trial.warn(fmt::format(
                "{}, describe() refuses without a reason, so users cannot see what the transform needs", what));
        }
        return;
    }
    try {
        transform->expect_sound(sample, what);
    } catch (const Error& error) {
        throw Broken(fmt::format("{}: {}", what, error.what()));
    }
}

// Returns `sample` with the role, shape and values of field `its_number` of `other` in field `number`.
Sample with_role_of(const Sample& sample, std::size_t number, const Sample& other, std::size_t its_number) {
    Sample changed = sample;
    changed.fields[number] = other.fields[its_number];
    changed.fields[number].name = sample.fields[number].name;
    changed.tensors[number] = other.tensors[its_number];
    return changed;
}

Sample without(const Sample& sample, std::size_t number) {
    Sample changed = sample;
    changed.fields.erase(changed.fields.begin() + static_cast<std::ptrdiff_t>(number));
    changed.tensors.erase(changed.tensors.begin() + static_cast<std::ptrdiff_t>(number));
    return changed;
}

void refuses_other_fields(Trial& trial) {
    const bool works_on_batches = registry::works_on_batches(trial.component());
    const SampleShape shape{16, 16, works_on_batches ? 3 : 0, works_on_batches};
    const FittedTransform transform(trial, shape);
    const Sample sample = transform.sample(0);
    const Sample all = make_sample(0, shape, trial.seed(), trial.folder().path());  // every role
    expect_sample_taken_or_refused(trial, {}, "without fields");
    for (std::size_t i = 0; i < sample.fields.size(); ++i) {
        const std::string name = sample.fields[i].name;
        expect_sample_taken_or_refused(trial, without(sample, i), fmt::format("without field '{}'", name));
        Sample renamed = sample;
        renamed.fields[i].name = "another name";
        expect_sample_taken_or_refused(trial, renamed, fmt::format("with field '{}' under another name", name));
        for (std::size_t other = 0; other < all.fields.size(); ++other) {
            if (all.fields[other].role != sample.fields[i].role) {
                expect_sample_taken_or_refused(trial, with_role_of(sample, i, all, other),
                                               fmt::format("with field '{}' of role {}, {}", name,
                                                           all.fields[other].role, to_string(all.fields[other].spec)));
            }
        }
    }
}

// describe() gets the number of channels, or -1 if it differs between samples. Batches always announce it.
void takes_other_channels(Trial& trial) {
    const bool works_on_batches = registry::works_on_batches(trial.component());
    SampleShape shape{24, 32, works_on_batches ? 3 : 0, works_on_batches};
    const FittedTransform usual(trial, shape);
    const auto has_channels = [](const registry::Field& field) {
        return field.role == SLUICE_FIELD_IMAGE || field.role == SLUICE_FIELD_ENCODED;
    };
    if (std::ranges::none_of(usual.sample(0).fields, has_channels)) {
        throw CaseSkipped("the transform gets no image");
    }
    for (const std::int64_t channels : {1, 2, 4}) {
        shape.channels = channels;
        Sample sample = usual.sample(0, shape);
        const std::string what = fmt::format("with images of {} x {} x {}", shape.height, shape.width, channels);
        expect_sample_taken_or_refused(trial, sample, what);
        if (!works_on_batches) {
            for (registry::Field& field : sample.fields) {
                if (field.role == SLUICE_FIELD_IMAGE) {
                    field.spec.shape[2] = -1;
                }
            }
            expect_sample_taken_or_refused(trial, sample, what + ", with -1 channels in describe()");
        }
    }
}

constexpr Case kTransformFieldsCases[] = {
    {"transform.channels",
     "Images of one, two and four channels are written completely and no further, or refused with a reason.",
     takes_other_channels},
    {"transform.fields", "Missing fields and other roles are refused with SLUICE_INVALID and a reason, or handled.",
     refuses_other_fields},
};

}  // namespace

std::span<const Case> transform_field_cases() { return kTransformFieldsCases; }

}  // namespace sluice::check
