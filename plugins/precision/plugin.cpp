// Precision policies. The host applies them to each layer by its autocast category.
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sluice/kind/layer.h"
#include "sluice/sdk/plugin.hpp"

namespace {

using sluice::sdk::Failure;
using sluice::sdk::Host;
using sluice::sdk::Options;
using sluice::sdk::view;

class Float32 : public sluice::sdk::Precision {
public:
    Float32(Host, Options) {}
    [[nodiscard]] sluice_precision_choice choose(const sluice_precision_query& query) const override {
        using sluice::sdk::kFloat32;
        return {
            .struct_size = 0, .storage = kFloat32, .compute = kFloat32, .accumulate = kFloat32, .colour = query.colour};
    }
};

// Stores and multiplies in a 16-bit type, sums in float32. `allow`, `infer`, `deny` and `clear` name layer types that
// get another autocast category than they declare.
class Mixed : public sluice::sdk::Precision {
public:
    [[nodiscard]] sluice_precision_choice choose(const sluice_precision_query& query) const override {
        return {.struct_size = 0,
                .storage = dtype_,
                .compute = dtype_,
                .accumulate = sluice::sdk::kFloat32,
                .colour = category_of(query)};
    }

protected:
    Mixed(sluice_dtype dtype, const Options& options) : dtype_(dtype) {
        for (const auto& [name, colour] : kCategories) {
            for (const std::string& type : options.has(name) ? options.strings(name) : std::vector<std::string>()) {
                if (!category_overrides_.emplace(type, colour).second) {
                    throw Failure(SLUICE_INVALID,
                                  std::string(name) + ": '" + type +
                                      "' is listed already, in allow, infer, deny or clear; list it once");
                }
            }
        }
    }

private:
    static constexpr std::pair<const char*, std::int32_t> kCategories[] = {{"allow", SLUICE_COLOUR_ALLOW},
                                                                           {"infer", SLUICE_COLOUR_INFER},
                                                                           {"deny", SLUICE_COLOUR_DENY},
                                                                           {"clear", SLUICE_COLOUR_CLEAR}};

    [[nodiscard]] std::int32_t category_of(const sluice_precision_query& query) const {
        const auto found = category_overrides_.find(view(query.type));
        return found == category_overrides_.end() ? query.colour : found->second;
    }

    sluice_dtype dtype_;
    std::map<std::string, std::int32_t, std::less<>> category_overrides_;  // layer type: autocast category
};

class MixedBfloat16 : public Mixed {
public:
    MixedBfloat16(Host, Options options) : Mixed(sluice::sdk::kBfloat16, options) {}
};

class MixedFloat16 : public Mixed {
public:
    MixedFloat16(Host, Options options) : Mixed(sluice::sdk::kFloat16, options) {
        const std::string kind = options.string("loss_scale");
        traits_.loss_scale = kind == "none"     ? SLUICE_LOSS_SCALE_NONE
                             : kind == "static" ? SLUICE_LOSS_SCALE_STATIC
                                                : SLUICE_LOSS_SCALE_DYNAMIC;
        traits_.growth_interval = static_cast<std::uint32_t>(options.integer("growth_interval"));
        traits_.scale = options.number("scale");
        traits_.growth = options.number("growth");
        traits_.backoff = options.number("backoff");
        traits_.floor = options.number("floor");
        traits_.ceiling = options.number("ceiling");
        traits_.most_skips = static_cast<std::uint32_t>(options.integer("most_skips"));
        if (kind == "dynamic") {
            check();
        }
    }
    [[nodiscard]] sluice_precision_traits traits() const override { return traits_; }

private:
    // Checks what the ranges of single options cannot express.
    void check() const {
        if (!(traits_.growth > 1.0)) {
            throw Failure(SLUICE_INVALID, "growth: must be above 1, or the scale would not grow");
        }
        if (!(traits_.backoff > 0.0 && traits_.backoff < 1.0)) {
            throw Failure(SLUICE_INVALID, "backoff: must be above 0 and below 1, so that the scale falls");
        }
        if (!(traits_.floor <= traits_.scale && traits_.scale <= traits_.ceiling)) {
            throw Failure(SLUICE_INVALID, "scale: " + number(traits_.scale) + " must lie between floor, " +
                                              number(traits_.floor) + ", and ceiling, " + number(traits_.ceiling));
        }
    }

    static std::string number(double value) {
        std::ostringstream text;
        text << value;
        return text.str();
    }

    sluice_precision_traits traits_{};
};

// The policy that the host measures to be the fastest; float32 if it does not measure.
class Auto : public Float32 {
public:
    Auto(Host host, Options options) : Float32(host, options) {
        for (const std::string& name : options.strings("candidates")) {
            candidates_ += (candidates_.empty() ? "" : " ") + name;
        }
        if (candidates_.empty()) {
            throw Failure(SLUICE_INVALID, "candidates: the list is empty; name at least one policy to measure");
        }
    }
    [[nodiscard]] sluice_precision_traits traits() const override {
        sluice_precision_traits traits{};
        traits.candidates = sluice::sdk::text_of(candidates_);
        return traits;
    }

private:
    std::string candidates_;  // separated by spaces
};

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<Float32>("sluice.precision.float32"),
    sluice::sdk::component<MixedBfloat16>("sluice.precision.mixed_bfloat16"),
    sluice::sdk::component<MixedFloat16>("sluice.precision.mixed_float16"),
    sluice::sdk::component<Auto>("sluice.precision.auto"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
