// A topic of a diagnosis, such as the input: which experiments it needs, and what their results mean.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnose/evidence/evidence.hpp"

namespace sluice::diagnose {

inline constexpr double kWorthwhile = 0.03;        // gain from which a change that keeps the results is advised
inline constexpr double kWorthOtherResults = 0.1;  // the same for a change of the results

// An experiment that was left out, and why.
struct Skipped {
    std::string name;
    std::string why;
};

// What the topics want next.
struct Proposals {
    std::vector<Variant> wanted;  // those that were tried before are dropped before the next topic is asked
    std::vector<Skipped> skipped;
};

// A change that makes the training faster.
struct Fix {
    Variant variant;
    Ratio ratio;  // of the time of a sample with it, to that without it
};

// Something that holds the training back.
struct Finding {
    std::string cause;     // one of a few words, for programs: "transform"
    std::string subject;   // its name: "gaussian_blur"; may be empty
    std::string sentence;  // what it is: "the transform 'gaussian_blur' of the input"
    std::string evidence;  // the measurements that show it
    Ratio without{};       // of the time of a sample if it cost nothing, to that now; unknown: it costs no time
    std::string probe{};   // the variant by which `without` was measured; empty: none
    std::vector<Fix> fixes{};
};

struct Topic {
    std::string_view name;
    std::string_view plan;  // names the experiments that it may propose
    void (*propose)(const Evidence&, Proposals&);
    void (*explain)(const Evidence&, std::vector<Finding>&);
};

// All topics, in the order in which they are asked.
std::span<const Topic> topics();

// True if the ratio is known, shows at least this gain, and its whole interval shows some.
bool is_gain(const Ratio* ratio, double least);
// The fix of a variant that was measured, if it gains at least `least`.
std::optional<Fix> fix_of(const Evidence& evidence, std::string_view name, double least);
// The time of a sample without uploads, to that with batches which are not made but uploaded; unknown if not measured.
Ratio ratio_without_upload(const Evidence& evidence);
// The name of a variant whose large gain hides what the network costs, such as "replay"; null if there is none.
const char* hides_network(const Evidence& evidence);
// True if a larger batch surely gains much. It also changes what each layer takes.
bool batch_pays(const Evidence& evidence);
// The settings of the network that keep what is learnt, each with its other value.
std::vector<Variant> setting_variants(const Evidence& evidence);
// The policy with the 16-bit numbers that suit the device.
Variant precision_variant(const Evidence& evidence);
// "31 % [28, 34]": the gain of a ratio, and its interval.
std::string gain_text(const Ratio& ratio);

void propose_input(const Evidence& evidence, Proposals& proposals);
void explain_input(const Evidence& evidence, std::vector<Finding>& findings);
void propose_side_work(const Evidence& evidence, Proposals& proposals);
void explain_side_work(const Evidence& evidence, std::vector<Finding>& findings);
void propose_strategy(const Evidence& evidence, Proposals& proposals);
void explain_strategy(const Evidence& evidence, std::vector<Finding>& findings);
void propose_compute(const Evidence& evidence, Proposals& proposals);
void explain_compute(const Evidence& evidence, std::vector<Finding>& findings);
void propose_layers(const Evidence& evidence, Proposals& proposals);
void explain_layers(const Evidence& evidence, std::vector<Finding>& findings);
void explain_memory(const Evidence& evidence, std::vector<Finding>& findings);

}  // namespace sluice::diagnose
