// A pipeline with a change, which is trained by turns with the pipeline as it is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/evidence/turns.hpp"

namespace sluice::diagnose {

enum class ChangeClass : std::uint8_t {
    probe,             // shows what a part costs, and is no pipeline that anybody wants
    same_bits,         // the weights have the same bits
    same_mathematics,  // the weights differ by rounding
    other_results      // the training learns something else: its scores may be better or worse
};

inline constexpr std::array<std::string_view, 4> kChangeClassNames{"probe", "same bits", "same mathematics",
                                                                   "other results"};
inline std::string_view name_of(ChangeClass change) { return kChangeClassNames[static_cast<std::size_t>(change)]; }

struct Variant {
    std::string name;               // a short name, as "replay"; unique in a diagnosis
    std::string what;               // what is changed: "batches are replayed from memory"
    std::vector<std::string> sets;  // as of --set
    ChangeClass change = ChangeClass::probe;
    double batch = 1.0;         // samples of its step over those of the baseline
    double warm_samples = 0.0;  // that it trains on before it is measured, as to fill a cache
    std::string cost{};         // of a fix: "takes 210 MB of memory"
    bool is_hint = false;       // only mentioned as evidence: a measurement does not wait until its ratio is sure
    bool is_alone = false;      // one process trains it, without the others of the baseline
    bool is_in_memory = false;  // its run's folder is in memory instead of on disk
    bool is_cold = false;       // the files of the data are dropped from the page cache before it starts
    bool starts_anew = false;   // its network is another one, so that it cannot resume from a checkpoint
    bool loses_output = false;  // files that the user may want are missing
};

// What was measured of a variant.
struct Result {
    Variant variant;
    Ratio ratio;           // of the time that a sample takes, to that of the baseline
    std::string failure;   // why it could not be measured; empty: it was
    double seconds = 0.0;  // that the measurement took, with its start
};

}  // namespace sluice::diagnose
