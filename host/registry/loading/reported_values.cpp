#include "registry/loading/reported_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/control.hpp"
#include "base/error.hpp"

namespace sluice::registry {
namespace {

// Sums of many such sizes fit 63 bits, and a batch of samples of kMostBytes fits this limit.
constexpr std::int64_t kMostTensorBytes = std::int64_t{1} << 56;

}  // namespace

std::string short_name(const Component& component) {
    return fmt::format("{} '{}'", to_string(component.manifest->kind), component.manifest->provides);
}

std::string place_of(const Component& component, const Origin& origin) {
    return fmt::format("{}: {}", to_string(origin), short_name(component));
}

void misbehaves(const Component& component, const std::string& how) {
    throw Error(Exit::plugin, fmt::format("plugin {} {} misbehaves: {}: {}", component.plugin->id,
                                          component.plugin->version, short_name(component), how));
}

std::string copy_text(const Component& component, sluice_text text, const std::string& what) {
    constexpr std::uint64_t kLongest = 1 << 16;  // a greater length is damaged
    if (text.len == 0) {
        return {};
    }
    if (text.ptr == nullptr || text.len > kLongest) {
        misbehaves(component, fmt::format("its {} is a text of {} bytes{}", what, text.len,
                                          text.ptr == nullptr ? " at address NULL" : ""));
    }
    return shown({text.ptr, text.len});
}

void refuse_characters(const Component& component, const std::string& what, const std::string& name) {
    misbehaves(component, fmt::format("its {} '{}' is not plain text; one line of UTF-8 without control characters is "
                                      "needed",
                                      what, name));
}

void refuse_name(const Component& component, const std::string& what, const std::string& name) {
    misbehaves(component, name.empty() ? fmt::format("its {} is empty", what)
                                       : fmt::format("its {} '{}' appears twice", what, name));
}

void check_reserved(const Component& component, std::int64_t value, const std::string& what) {
    if (value != 0) {
        misbehaves(component, fmt::format("reserved of {} is {}; 0 is right", what, value));
    }
}

bool is_known(sluice_dtype dtype) {
    const auto has_bits = [&](std::initializer_list<int> allowed) {
        return std::ranges::count(allowed, dtype.bits) > 0;
    };
    switch (dtype.lanes == 1 ? dtype.code : -1) {
        case SLUICE_CODE_INT:
        case SLUICE_CODE_UINT:
            return has_bits({8, 16, 32, 64});
        case SLUICE_CODE_FLOAT:
            return has_bits({16, 32, 64});
        case SLUICE_CODE_BFLOAT:
            return has_bits({16});
        default:
            return false;
    }
}

void check_bytes(const Component& component, std::uint64_t bytes, const std::string& what) {
    if (bytes > kMostBytes) {
        misbehaves(component, fmt::format("{} has {} bytes, which is more than a machine can address; at most {} are "
                                          "allowed",
                                          what, bytes, kMostBytes));
    }
}

void check_spec(const Component& component, const sluice_tensor_spec& spec, Extents extents, const std::string& what) {
    if (spec.rank < 0 || spec.rank > SLUICE_MAX_RANK) {
        misbehaves(component, fmt::format("{} has rank {}; 0 to {} is right", what, spec.rank, int{SLUICE_MAX_RANK}));
    }
    if (!is_known(spec.dtype)) {
        misbehaves(component, fmt::format("{} has an unknown element type (code {}, {} bits, {} lanes)", what,
                                          spec.dtype.code, spec.dtype.bits, spec.dtype.lanes));
    }
    std::int64_t bytes = spec.dtype.bits / 8;
    for (const std::int64_t extent : shape_of(spec)) {
        if (extent == -1 && extents == Extents::maybe_unknown) {
            continue;
        }
        if (extent < 1 || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMostTensorBytes) {
            misbehaves(component, fmt::format("{} is {}; every extent is at least 1 and the whole fits in memory", what,
                                              to_string(spec)));
        }
    }
}

}  // namespace sluice::registry
