// Plugins that each break one rule are found by the case that proves this rule, and by no other.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/files.hpp"
#include "call_checks/checks.hpp"
#include "check/contract/contract.hpp"
#include "temporary_folder.hpp"

namespace {

using sluice::check::Finding;
using sluice::check::Result;

sluice::check::CheckSettings settings_of_case(const std::string& only) {
    sluice::check::CheckSettings settings;
    settings.only = only;
    return settings;
}

std::vector<Finding> check(const std::string& kind, const std::string& component,
                           const sluice::check::CheckSettings& settings = settings_of_case({}),
                           const sluice::registry::CallChecks* checks = nullptr) {
    const std::filesystem::path file = std::filesystem::path(SLUICE_FAULTY_PLUGINS) / (kind + ".so");
    const std::array<std::filesystem::path, 1> more{SLUICE_PLUGINS};
    const sluice::registry::Registry registry(file, more, checks);
    std::vector<Finding> findings;
    for (const auto& one : registry.seen().front().manifest->components) {
        if (one.provides == component) {
            sluice::check::check_contract(registry, one, settings,
                                          [&](const Finding& finding) { findings.push_back(finding); });
        }
    }
    return findings;
}

bool is_found(const Finding& finding) { return is_fault(finding.result) || finding.result == Result::warned; }

// Returns all faults and warnings, one per line.
std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        if (is_found(finding)) {
            text += std::string(word(finding.result)) + " " + finding.place + ": " + finding.reason + "\n";
        }
    }
    return text;
}

struct Fault {
    const char* kind;
    const char* name;
    const char* found_by;
    Result result;
    const char* words;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.kind << " " << fault.name; }

// Each entry has the kind and name of a faulty component, the case that must find it, the result and a part of the
// message.
constexpr Fault kFaults[] = {
    Fault{"source", "aborts_in_the_middle", "source.any_order", Result::crashed,
          "crashes: Aborted; read() of sample 5"},
    Fault{"source", "counts_from_below", "source.classes", Result::failed,
          "field 'class' of sample 200 is -1; class numbers are 0 or more"},
    Fault{"source", "crashes_at_the_end_of_a_range", "options.ends", Result::crashed,
          "crashes: Aborted; create() with size = 1000"},
    Fault{"source", "ends_well", "source.unreadable", Result::crashed, "exits the process with code 0"},
    Fault{"source", "exits", "source.unreadable", Result::crashed, "exits the process with code 3"},
    Fault{"source", "follows_the_seed", "source.seed", Result::failed, "though the manifest says draws = false"},
    Fault{"source", "grows", "source.fields", Result::failed, "describe() first reports 12 samples, then 13"},
    Fault{"source", "hangs", "source.unreadable", Result::crashed,
          "hangs: it was killed after 10 s; read() of sample 0"},
    Fault{"source", "has_one_identity", "source.identity", Result::failed, "the same after its files were changed"},
    Fault{"source", "has_two_tables", "get.same", Result::failed, "two different tables"},
    Fault{"source", "hides_the_file", "source.unreadable", Result::failed, "names no file: 'cannot be read'"},
    Fault{"source", "knows_all", "get.unknown", Result::failed, "for the unknown interface"},
    Fault{"source", "knows_no_end", "source.range", Result::warned,
          "read() of sample 12, past the end of 12 samples, returns"},
#ifndef __SANITIZE_ADDRESS__  // its malloc() does not report the size of a block
    Fault{"source", "keeps_a_little", "objects.memory", Result::warned, "uses of one object leak"},
    Fault{"source", "keeps_what_it_read", "objects.memory", Result::warned, "uses of one object"},
    Fault{"source", "leaks", "objects.memory", Result::warned, "bytes"},
#endif
    Fault{"source", "leaves_a_hole", "source.bounds", Result::failed, "leaves bytes of a field unwritten"},
    Fault{"source", "leaves_files_open", "objects.handles", Result::failed, "files open"},
    Fault{"source", "leaves_threads", "objects.handles", Result::failed, "threads"},
    Fault{"source", "makes_up_samples", "source.unreadable", Result::failed, "instead of making up a sample"},
    Fault{"source", "names_few_classes", "source.class_names", Result::failed,
          "field 'class' of sample 5 is 5, but the source names only 5 classes"},
    Fault{"source", "names_in_latin_1", "source.class_names", Result::failed, "is no plain text"},
    Fault{"source", "names_into_one_buffer", "source.class_names", Result::failed,
          "changed after other names were asked for"},
    Fault{"source", "prints", "process.quiet", Result::warned, "hello from a source"},
    Fault{"source", "remembers", "source.any_order", Result::failed, "when samples are read in another order"},
    Fault{"source", "remembers_in_the_middle", "source.any_order", Result::failed,
          "when samples are read in another order"},
    Fault{"source", "says_nothing", "source.no_memory", Result::warned,
          "without a message, so users cannot see what went wrong"},
    Fault{"source", "shares_scratch", "source.any_thread", Result::failed, "when several threads read at once"},
    Fault{"source", "stops_beyond_the_end", "source.range", Result::warned, "crashes: Aborted; the host never asks"},
    Fault{"source", "takes_a_signal", "process.kept", Result::failed, "the handler of SIGUSR1"},
    Fault{"source", "takes_memory_for_granted", "source.no_memory", Result::crashed, "Segmentation fault"},
    Fault{"source", "trusts_the_size", "source.struct_sizes", Result::crashed, "Segmentation fault"},
    Fault{"source", "weighs_below_zero", "source.sampling", Result::failed, "negative or not finite"},
    Fault{"source", "writes_past_the_end", "source.bounds", Result::failed, "past the end of field 0"},
    Fault{"transform", "divides_by_what_is_left", "transform.small", Result::crashed, "a sample of 1 x 1"},
    Fault{"transform", "draws", "transform.draws", Result::failed, "though the manifest says draws = false"},
    Fault{"transform", "ignores_the_offset", "transform.offset", Result::failed, "the byte_offset of its tensors"},
    Fault{"transform", "keeps_the_first_strength", "objects.beside", Result::failed,
          "the second object gives another result than alone (the second was made with strength = 0.5)"},
    Fault{"transform", "leaves_a_hole", "transform.fills", Result::failed, "leaves bytes of a field unwritten"},
    Fault{"transform", "leaves_the_last_of_odd_ones", "transform.small", Result::failed,
          "a sample of 1 x 1: apply() leaves bytes"},
    Fault{"transform", "needs_no_picture", "transform.fields", Result::crashed, "Segmentation fault; without fields"},
    Fault{"transform", "refuses_as_failed", "transform.fields", Result::failed,
          "without fields, describe() fails with a status other than SLUICE_INVALID"},
    Fault{"transform", "remembers", "transform.same_key", Result::failed, "in another order"},
    Fault{"transform", "shares_its_place", "objects.beside", Result::failed,
          "the first object fails (the second was made with its fields in reverse order)"},
    Fault{"transform", "shares_its_strength", "objects.beside", Result::failed,
          "the first object gives another result than alone (the second was made with strength = 0.5)"},
    Fault{"transform", "shares_scratch", "transform.any_thread", Result::failed,
          "when several threads make them at once"},
    Fault{"transform", "sums_in_a_static", "objects.threads", Result::failed, "objects on three threads at once"},
    Fault{"transform", "takes_all_for_rgb", "transform.channels", Result::failed,
          "with images of 24 x 32 x 1: apply() writes past the end of field 0"},
    Fault{"transform", "takes_any_role", "transform.fields", Result::failed,
          "with field 'image' of role 3, [] int64: apply() leaves bytes of a field unwritten"},
    Fault{"transform", "takes_memory_for_granted", "transform.no_memory", Result::crashed, "Segmentation fault"},
    Fault{"transform", "trusts_the_size", "transform.struct_sizes", Result::failed, "a larger sluice_sample_sink"},
    Fault{"transform", "writes_blocks", "transform.small", Result::failed,
          "a sample of 1 x 1: apply() writes past the end of field 0"},
    Fault{"transform", "writes_past_the_end", "transform.input", Result::failed, "past the end of field 0"},
    Fault{"transform", "writes_to_its_input", "transform.input", Result::failed, "which it may only read"},
    Fault{"batch_transform", "keeps_the_largest_batch", "batch_transform.sizes", Result::failed,
          "a batch of 1 has other bytes after batches of other sizes"},
    Fault{"batch_transform", "takes_single_samples", "batch_transform.samples", Result::failed, "SLUICE_UNSUPPORTED"},
    Fault{"decoder", "believes_in_whole_files", "transform.damaged", Result::crashed, "crashes: Aborted; damaged file"},
    Fault{"window_source", "leaves_out_the_name", "source.windows", Result::failed,
          "sets the name ''; expected 'picture'"},
    Fault{"window_source", "reads_all_rows", "source.windows", Result::failed, "where a window of 1 x 1 was asked for"},
    Fault{"window_source", "reads_one_row_on", "source.windows", Result::failed, "other bytes than the whole"},
    Fault{"window_source", "swaps_extents", "source.windows", Result::failed, "extents() of sample 0 reports 5 x 6"},
    Fault{"window_transform", "chooses_another_quarter", "transform.window_choice", Result::failed,
          "windows of sample 0 give other bytes than whole pictures"},
    Fault{"window_transform", "chooses_beyond_the_picture", "transform.window_choice", Result::failed,
          "it reads 12 x 16 from (0, 17) on, shrunk 1 times, of field number 0, which is 24 x 32"},
    Fault{"window_transform", "chooses_by_turns", "transform.window_choice", Result::failed,
          "other windows with the same key"},
    Fault{"window_transform", "makes_one_column_on", "transform.windows", Result::failed, "other bytes than the whole"},
    Fault{"window_transform", "rounds_down", "transform.shrunk_windows", Result::failed,
          "where a window of 6 x 8 was asked for"},
    Fault{"window_transform", "shrinks_darkly", "transform.shrunk_windows", Result::failed,
          "from the means of the picture"},
    Fault{"window_transform", "shrinks_from_the_window_on", "transform.shrunk_windows", Result::failed,
          "other bytes than the whole"},
    Fault{"window_transform", "tells_of_the_input", "transform.windows", Result::failed,
          "extents() reports 24 x 32 for field 'image'; expected 12 x 16"},
    Fault{"optimizer", "climbs", "optimizer.learns", Result::failed, "a step must go against its gradients"},
    Fault{"optimizer", "counts_for_itself", "optimizer.resumes", Result::failed, "something is kept elsewhere"},
    Fault{"optimizer", "counts_from_its_range", "optimizer.ranges", Result::failed,
          "an optimizer must be element-wise"},
    Fault{"optimizer", "depends_on_threads", "optimizer.threads", Result::failed, "2 threads give other bits"},
    Fault{"optimizer", "divides_by_gradients", "optimizer.zero_gradients", Result::failed, "not finite"},
    Fault{"optimizer", "forgets_the_sign", "optimizer.learns", Result::failed, "where all t are above 0"},
    Fault{"optimizer", "ignores_the_rate", "optimizer.scalars", Result::failed, "twice the scalars->rate"},
    Fault{"optimizer", "ignores_the_scale", "optimizer.scalars", Result::failed, "scalars->gradient_scale"},
    Fault{"optimizer", "never_skips", "optimizer.skips", Result::failed, "scalars->skip"},
    Fault{"optimizer", "shares_its_momentum", "objects.beside", Result::failed,
          "the first object gives another result than alone (the second was made with momentum = 0.25)"},
    Fault{"optimizer", "spreads_what_is_no_number", "optimizer.not_a_number", Result::failed, "other elements"},
    Fault{"optimizer", "trusts_the_size", "optimizer.struct_sizes", Result::failed, "a larger sluice_optimizer_launch"},
    Fault{"optimizer", "writes_past_the_end", "optimizer.bounds", Result::failed, "outside the range of parameters"},
    Fault{"precision", "changes_its_mind", "precision.pure", Result::failed, "gives two different answers"},
    Fault{"precision", "scales_to_nothing", "precision.overflows", Result::failed,
          "which is no normal number in float32"},
    Fault{"precision", "sums_in_few_bits", "precision.sums", Result::failed, "sums in bfloat16"},
    Fault{"precision", "zeroes_what_it_does_not_know", "precision.struct_sizes", Result::failed,
          "choose() writes past"},
    Fault{"strategy", "keeps_few_rounds", "strategy.many", Result::failed, "many collectives at once fail"},
    Fault{"strategy", "names_nobody", "strategy.absent", Result::failed, "somebody did not join"},
    Fault{"strategy", "never_gives_up", "strategy.abort", Result::failed, "had enough"},
    Fault{"strategy", "rounds_for_the_others", "strategy.narrow", Result::failed,
          "replicas get different sums if they are sent as bfloat16"},
    Fault{"strategy", "sums_from_the_left", "strategy.sums", Result::failed, "summed in the order of the header"},
    Fault{"strategy", "takes_any_kind", "strategy.unknown", Result::failed, "expected SLUICE_UNSUPPORTED"},
    Fault{"strategy", "trusts_the_order", "strategy.out_of_step", Result::failed, "no replica gets an error"},
    Fault{"strategy", "waits_for_ever", "strategy.absent", Result::crashed, "hangs"},
    Fault{"strategy", "waits_for_the_first", "strategy.nothing_started", Result::failed,
          "although nothing was started"},
    Fault{"strategy", "waits_in_start", "strategy.starts", Result::failed, "waits for the other replicas"},
    Fault{"strategy", "zeroes_what_it_does_not_know", "strategy.struct_sizes", Result::failed,
          "topology() writes past"},
    Fault{"observer", "cannot_be_made", "creates", Result::failed,
          "no object can be made with options guessed from the schema: "},
    Fault{"observer", "ends_badly", "exits", Result::crashed, "crashes: Aborted; at exit()"},
    Fault{"observer", "fails_at_the_unknown", "observer.unknown", Result::failed, "what is this?"},
    Fault{"observer", "goes_on_without_its_log", "observer.folder_gone", Result::crashed,
          "with the run's folder removed before the run"},
    Fault{"observer", "ignores_the_span_size", "observer.window_sizes", Result::failed,
          "log gets another content if elements of a window's arrays are 24 bytes longer"},
    Fault{"observer", "is_slow", "observer.run", Result::warned, "the host drops step events meanwhile"},
    Fault{"observer", "keeps_the_window", "observer.windows", Result::crashed,
          "Segmentation fault; on_event() of kind 9 with spans without names"},
    Fault{"observer", "knows_one_size", "observer.struct_sizes", Result::failed, "this is no event"},
    Fault{"observer", "needs_its_folder", "observer.folder_gone", Result::crashed, "Segmentation fault"},
    Fault{"observer", "needs_numbers", "observer.values", Result::crashed, "Aborted"},
    Fault{"observer", "reads_beyond_an_event", "observer.older_host", Result::crashed,
          "Segmentation fault; on_event() of kind 0 with a struct_size of 88"},
    Fault{"observer", "reads_the_first_scalar", "observer.values", Result::crashed, "with no scalars: NULL"},
    Fault{"observer", "reads_the_first_span", "observer.windows", Result::crashed,
          "Segmentation fault; on_event() of kind 9 with a window in which nothing was recorded"},
    Fault{"observer", "trusts_the_names", "observer.windows", Result::crashed,
          "Segmentation fault; on_event() of kind 9 with spans without names"},
    Fault{"observer_cpp", "throws", "observer.values", Result::crashed, "what is no number cannot be plotted"},
    Fault{"device", "copies_words", "device.copies", Result::failed, "do not survive a copy to the device and back"},
    Fault{"device", "counts_for_itself", "device.resumes", Result::failed, "continues from the same report"},
    Fault{"device", "falls_through_the_floor", "device.overflows", Result::failed, "after 40 overflows the scale is"},
    Fault{"device", "frees_nothing", "device.empty", Result::crashed, "crashes"},
    Fault{"device", "has_any_number", "device.numbers", Result::warned, "though there is no such device"},
    Fault{"device", "is_not_aligned", "device.info", Result::failed, "is not aligned to 64"},
    Fault{"device", "rounds_by_cutting", "device.rounds", Result::failed, "to bfloat16 gives bits"},
    Fault{"device", "sums_in_floats", "device.sums", Result::failed, "sum_squares() gives"},
    Fault{"device", "takes_memory_for_granted", "device.no_memory", Result::crashed, "Segmentation fault"},
    Fault{"device", "zeroes_what_it_does_not_know", "device.struct_sizes", Result::failed, "info() writes past"},
    Fault{"later_device", "counts_microseconds", "device.time", Result::failed, "between them and"},
    Fault{"later_device", "counts_time_backwards", "device.events", Result::failed, "event_seconds() returns -"},
    Fault{"later_device", "ends_before_it_begins", "device.activity", Result::failed, "before it begins at"},
    Fault{"later_device", "fills_more_than_was_asked", "device.usage", Result::failed,
          "past the struct_size of a shorter"},
    Fault{"later_device", "forgets_what_it_recorded", "device.graphs", Result::failed,
          "launch 2 does not run the captured graph"},
    Fault{"later_device", "ignores_other_streams", "device.stream_waits", Result::failed,
          "before the event of another stream"},
    Fault{"later_device", "reports_its_own_clock", "device.activity", Result::failed,
          "but by CLOCK_MONOTONIC the recording lasts"},
    Fault{"later_device", "reports_what_ran_before", "device.activity", Result::failed,
          "a copy that ran before start()"},
    Fault{"later_device", "returns_before_events", "device.events", Result::failed, "before the work that precedes"},
    Fault{"later_device", "runs_while_it_records", "device.graphs", Result::failed,
          "captured work runs during the capture"},
    Fault{"later_device", "stamps_what_it_recorded", "device.time_in_graphs", Result::failed,
          "each replay must stamp again"},
    Fault{"later_device", "tells_percent", "device.usage", Result::failed, "busy_share = 40; expected -1"},
    Fault{"kernel", "computes_whole_vectors", "kernel.sizes", Result::failed, "half_square, case 1 ([3, 7] float32)"},
    Fault{"kernel", "forgets_the_end", "kernel.threads", Result::failed, "is not the slope of forward"},
    Fault{"kernel", "forgets_the_rest", "kernel.chains", Result::failed,
          "supports() claims the chain half_square, batch_norm, case 1"},
    Fault{"kernel", "has_a_wrong_slope", "kernel.numbers", Result::failed, "is not the slope of forward"},
    Fault{"kernel", "ignores_where_pieces_begin", "kernel.threads", Result::failed, "by 2 threads, output 0"},
#ifndef __SANITIZE_ADDRESS__
    Fault{"kernel", "keeps_its_kernels", "objects.memory", Result::warned, "uses of one object leak"},
#endif
    Fault{"kernel", "shares_its_kernel", "kernel.beside", Result::failed, "other bits than alone"},
    Fault{"kernel", "takes_any_chain", "kernel.chains", Result::failed,
          "supports() claims half_square with a layer of an unknown type after it"},
    Fault{"kernel", "takes_any_flag", "kernel.unknown", Result::failed, "supports() of an unknown flag"},
    Fault{"kernel", "takes_memory_for_granted", "objects.no_memory", Result::crashed, "Segmentation fault"},
    Fault{"layer", "divides_by_an_extent", "layer.inputs", Result::crashed, "infer() of [2, 0] float32"},
    Fault{"layer", "remembers", "layer.infers", Result::failed, "after other inputs"},
    Fault{"layer", "says_nothing", "layer.inputs", Result::warned,
          "without a message, so users cannot see what went wrong"},
    Fault{"layer", "zeroes_what_it_does_not_know", "layer.struct_sizes", Result::failed, "traits() writes past"},
    Fault{"metric", "needs_samples", "layer.finalize", Result::crashed, "crashes: Aborted; finalize() of sums of 0"},
    Fault{"threads_at_open", "leaves_a_thread", "closes", Result::failed, " after close()"}};

// Other cases may find these faults too, because their rules also compare several objects. The test expects nothing of
// those cases.
constexpr Fault kFaultsOfSeveral[] = {
    Fault{"kernel", "alternates", "kernel.again", Result::failed, "a second kernel of the same plan gives other bits"},
    Fault{"source", "follows_the_clock", "objects.beside", Result::failed,
          "another result in another process, a moment later"},
    Fault{"optimizer", "slows_down", "optimizer.again", Result::failed, "give other bits the second time"}};

// No plugin here breaks these cases, for the given reasons.
constexpr std::pair<std::string_view, const char*> kNotBrokenHere[] = {
    {"loads", "a plugin that does not load has no component; the tests of the registry load tests/broken_plugins"},
    {"manifest", "looks_for_mistakes_in_the_manifest changes the manifest of a sound plugin"},
    {"options.schema", "the host refuses a manifest with a wrong schema before any case runs"},
#ifdef __SANITIZE_ADDRESS__
    {"objects.memory", "malloc() of AddressSanitizer does not report the size of a block"},
#endif
};

// A data race is found by chance, and on a busy machine perhaps not the first time. Threads find none of the other
// faults, for which they have less time.
std::vector<Finding> check_for(const Fault& fault, const std::string& only,
                               const sluice::registry::CallChecks* checks) {
    const std::string_view place = fault.found_by;
    const bool is_of_threads = place.ends_with(".any_thread") || place == "objects.threads";
    const int most = is_of_threads ? 3 : 1;
    sluice::check::CheckSettings settings = settings_of_case(only);
    settings.threads = is_of_threads ? 1.0 : 0.1;
    if (std::string_view(fault.words).find("hangs") != std::string_view::npos) {
        settings.limit = std::chrono::seconds(10);  // other cases have the 60 seconds that users give them
    }
    std::vector<Finding> findings;
    for (int attempt = 0; attempt < most && std::ranges::none_of(findings, is_found); ++attempt) {
        findings = check(fault.kind, fault.name, settings, checks);
    }
    return findings;
}

// Runs the cases named `only`, or all of them, and expects that only the case of the rule finds the fault.
void expect_found(const Fault& fault, const std::string& only) {
    const std::vector<Finding> findings = check_for(fault, only, nullptr);
    EXPECT_EQ(std::ranges::count_if(findings, is_found), 1) << text_of(findings);
    const auto one = std::ranges::find_if(findings, is_found);
    ASSERT_NE(one, findings.end());
    EXPECT_EQ(one->place, fault.found_by) << text_of(findings);
    EXPECT_STREQ(word(one->result), word(fault.result)) << one->reason;
    EXPECT_NE(one->reason.find(fault.words), std::string::npos) << one->reason;
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, are_found_by_the_case_of_their_rule) { expect_found(GetParam(), GetParam().found_by); }

// Runs every case on a faulty plugin. For all plugins that takes minutes, so one of each kind has to do.
class OtherCases : public testing::TestWithParam<Fault> {};

TEST_P(OtherCases, do_not_find_the_fault) { expect_found(GetParam(), ""); }

class FaultsOfSeveral : public testing::TestWithParam<Fault> {};

TEST_P(FaultsOfSeveral, are_found_by_the_case_of_their_rule) {
    const Fault& fault = GetParam();
    const std::vector<Finding> findings = check(fault.kind, fault.name, settings_of_case(fault.found_by));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_STREQ(word(findings.front().result), word(fault.result)) << findings.front().reason;
    EXPECT_NE(findings.front().reason.find(fault.words), std::string::npos) << findings.front().reason;
}

std::string name_of(const testing::TestParamInfo<Fault>& test) {
    return std::string(test.param.kind) + "_" + test.param.name;
}

INSTANTIATE_TEST_SUITE_P(Contract, FaultsOfSeveral, testing::ValuesIn(kFaultsOfSeveral), name_of);

// `host check` also checks each call, so the case finds the fault itself, or a rule of a call in it does.
TEST_P(Faults, are_found_with_checked_calls) {
    const Fault& fault = GetParam();
    const std::vector<Finding> findings = check_for(fault, fault.found_by, &sluice::call_checks::kChecks);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_TRUE(is_found(findings.front())) << word(findings.front().result) << ": " << findings.front().reason;
}

// Returns the first fault of each kind of component.
std::vector<Fault> one_of_each_kind() {
    std::vector<Fault> firsts;
    for (const Fault& fault : kFaults) {
        const auto is_same_kind = [&](const Fault& first) { return std::string_view(first.kind) == fault.kind; };
        if (std::ranges::none_of(firsts, is_same_kind)) {
            firsts.push_back(fault);
        }
    }
    return firsts;
}

INSTANTIATE_TEST_SUITE_P(Contract, Faults, testing::ValuesIn(kFaults), name_of);
INSTANTIATE_TEST_SUITE_P(Contract, OtherCases, testing::ValuesIn(one_of_each_kind()), name_of);
INSTANTIATE_TEST_SUITE_P(SlowContract, OtherCases, testing::ValuesIn(kFaults), name_of);

// The cases are all that `host check --list` prints.
TEST(Contract, has_a_fault_for_each_case) {
    std::set<std::string_view> known;
    for (const auto& faults : {std::span<const Fault>(kFaults), std::span<const Fault>(kFaultsOfSeveral)}) {
        std::ranges::transform(faults, std::inserter(known, known.end()), &Fault::found_by);
    }
    for (const auto& [name, why] : kNotBrokenHere) {
        EXPECT_TRUE(known.insert(name).second) << name << " is listed as not broken, but a plugin breaks it";
    }
    std::set<std::string_view> listed;
    for (int kind = 0; kind <= static_cast<int>(sluice::registry::Kind::observer); ++kind) {
        for (const sluice::check::Case* one : sluice::check::list_cases(static_cast<sluice::registry::Kind>(kind))) {
            listed.insert(one->name);
        }
    }
    EXPECT_EQ(known, listed);
}

// The kernels are those of tests/kernels/wrong_kernel. The checks of numbers are a case of the contract.
TEST(Contract, finds_kernels_that_compute_wrong) {
    const std::filesystem::path file(SLUICE_WRONG_KERNEL);
    const std::array<std::filesystem::path, 1> more{SLUICE_PLUGINS};
    const sluice::registry::Registry registry(file, more);
    sluice::check::CheckSettings settings;
    settings.only = "kernel.numbers";
    const std::array<std::pair<std::string, std::string>, 3> wrong{
        {{"wrong_gradient", "gradient of input 0: largest difference"},
         {"writes_past", "forward writes past the end of output 0"},
         {"crashes", "crashes: Aborted"}}};
    for (const auto& [name, words] : wrong) {
        const auto one = std::ranges::find(registry.seen().front().manifest->components, name,
                                           &sluice::registry::ComponentManifest::provides);
        std::vector<Finding> findings;
        sluice::check::check_contract(registry, *one, settings,
                                      [&](const Finding& finding) { findings.push_back(finding); });
        ASSERT_EQ(findings.size(), 1U) << name;
        EXPECT_EQ(findings.front().result, Result::failed) << name;
        EXPECT_NE(findings.front().reason.find(words), std::string::npos) << findings.front().reason;
    }
}

// Another provider gives the right values here, because forward and backward agree: both forget the end.
TEST(Contract, finds_kernels_that_compute_small_tensors_alone) {
    const std::array<std::filesystem::path, 1> more{SLUICE_PLUGINS};
    const sluice::registry::Registry registry(SLUICE_WRONG_KERNEL, more);
    const auto one = std::ranges::find(registry.seen().front().manifest->components, "forgets_the_end",
                                       &sluice::registry::ComponentManifest::provides);
    sluice::check::CheckSettings settings;
    for (const auto& [name, result] :
         {std::pair{"kernel.numbers", Result::passed}, std::pair{"kernel.threads", Result::failed}}) {
        settings.only = name;
        std::vector<Finding> findings;
        sluice::check::check_contract(registry, *one, settings,
                                      [&](const Finding& finding) { findings.push_back(finding); });
        ASSERT_EQ(findings.size(), 1U) << name;
        const std::string& reason = findings.front().reason;
        EXPECT_EQ(findings.front().result, result) << reason;
        if (result == Result::failed) {
            EXPECT_TRUE(reason.starts_with("scale, case 1")) << reason;
            EXPECT_NE(reason.find("output 0: largest difference"), std::string::npos) << reason;
            EXPECT_TRUE(reason.ends_with("the expected values were computed in float64")) << reason;
        }
    }
}

class Sound : public testing::TestWithParam<const char*> {};

TEST_P(Sound, plugins_pass) {
    const std::vector<Finding> findings = check(GetParam(), "none");
    EXPECT_EQ(text_of(findings), "");
    EXPECT_GT(std::ranges::count(findings, Result::passed, &Finding::result), 12);
}

// `host check` checks each call as well.
TEST_P(Sound, plugins_pass_with_checked_calls) {
    EXPECT_EQ(text_of(check(GetParam(), "none", settings_of_case({}), &sluice::call_checks::kChecks)), "");
}

TEST(Contract, names_the_rule_that_a_single_call_breaks) {
    for (const auto& [kind, name, only, rule] :
         {std::array{"transform", "keeps_its_fields", "transform.same_key", "rule lent.kept"},
          std::array{"transform", "ignores_the_offset", "objects.beside", "rule lent.offset"},
          std::array{"transform", "writes_past_the_end", "objects.beside", "rule outputs.end"},
          std::array{"transform", "takes_all_for_rgb", "transform.channels", "rule outputs.end"},
          std::array{"transform", "writes_to_its_input", "objects.beside", "rule lent.written"},
          std::array{"source", "takes_a_signal", "objects.beside", "rule process.signals"},
          std::array{"observer", "rounds_down", "objects.beside", "rule process.rounding"}}) {
        const std::vector<Finding> findings = check(kind, name, settings_of_case(only), &sluice::call_checks::kChecks);
        ASSERT_EQ(findings.size(), 1U);
        EXPECT_EQ(findings.front().result, Result::failed) << name;
        EXPECT_NE(findings.front().reason.find(rule), std::string::npos) << findings.front().reason;
    }
}

INSTANTIATE_TEST_SUITE_P(Contract, Sound,
                         testing::Values("source", "transform", "optimizer", "precision", "strategy", "observer",
                                         "device", "layer", "kernel", "window_source", "window_transform",
                                         "later_device", "batch_transform", "decoder", "metric", "observer_cpp"));

TEST(Contract, is_not_held_up_by_a_plugin_that_hangs_again_and_again) {
    sluice::check::CheckSettings settings;
    settings.limit = std::chrono::seconds(1);
    const std::vector<Finding> findings = check("observer", "never_returns", settings);
    EXPECT_EQ(std::ranges::count(findings, Result::crashed, &Finding::result), 2) << text_of(findings);
    EXPECT_NE(findings.back().reason.find("not run: 2 cases hang"), std::string::npos) << findings.back().reason;
}

TEST(Contract, looks_for_mistakes_in_the_manifest) {
    const auto found = [](const std::string& from, const std::string& to) {
        std::string bytes = sluice::read_file(std::filesystem::path(SLUICE_FAULTY_PLUGINS) / "observer.so");
        for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + to.size())) {
            bytes.replace(at, from.size(), to);
        }
        const std::filesystem::path folder = sluice::make_temporary_folder();
        const std::filesystem::path file = folder / "observer.so";
        std::ofstream(file, std::ios::binary) << bytes;
        const sluice::registry::Registry registry(file, {});
        sluice::check::CheckSettings settings;
        settings.only = "manifest";
        std::vector<Finding> findings;
        sluice::check::check_contract(registry, registry.seen().front().manifest->components.front(), settings,
                                      [&](const Finding& finding) { findings.push_back(finding); });
        std::filesystem::remove_all(folder);
        return findings.at(0);
    };
    EXPECT_EQ(found("\nabout", "\nabout").result, Result::passed);
    const Finding warned = found("\nabout", "\nabuot");
    EXPECT_EQ(warned.result, Result::warned);
    EXPECT_NE(warned.reason.find("unknown key 'abuot' of the plugin; did you mean 'about'?"), std::string::npos)
        << warned.reason;
    const Finding stranger = found("\"test.broken.", "\"sluice.brkn.");
    EXPECT_EQ(stranger.result, Result::failed);
    EXPECT_NE(stranger.reason.find("begins like those of Sluice itself"), std::string::npos) << stranger.reason;
}

TEST(Contract, runs_one_case_again) {
    const std::vector<Finding> findings = check("source", "remembers", settings_of_case("source.any_order"));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().result, Result::failed);
    EXPECT_GT(findings.front().seconds, 0.0);
}

TEST(Contract, refuses_an_unknown_case_with_the_nearest) {
    try {
        sluice::check::expect_case("source.any_ordre");
        FAIL() << "expect_case() did not throw";
    } catch (const sluice::Error& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'source.any_order'"), std::string::npos) << error.what();
    }
}

TEST(Contract, proves_a_rule_by_each_case_and_names_it_once) {
    std::vector<std::string> names;
    for (int kind = 0; kind <= static_cast<int>(sluice::registry::Kind::observer); ++kind) {
        for (const sluice::check::Case& one :
             sluice::check::cases_of(static_cast<sluice::registry::Kind>(kind)).cases) {
            names.emplace_back(one.name);
            EXPECT_TRUE(std::string_view(one.proves).ends_with(".")) << one.name;
        }
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

// Runs the host as a user does. A fault gives exit code 6, and a warning does not.
int exit_of(const std::string& arguments) {
    const int status = std::system((std::string(SLUICE_HOST) + " check " + arguments + " > /dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Contract, exits_with_6_if_a_rule_is_broken) {
    const std::string source = std::string(SLUICE_FAULTY_PLUGINS) + "/source.so ";
    EXPECT_EQ(exit_of(source + "remembers --case source.any_order --json"), 6);
    EXPECT_EQ(exit_of(source + "remembers --case source.any_thread"), 0);
    EXPECT_EQ(exit_of(source + "exits --case source.unreadable"), 6);
    EXPECT_EQ(exit_of(source + "prints --case process.quiet"), 0);
    EXPECT_EQ(exit_of(source + "no_such_component 2> /dev/null"), 2);
    EXPECT_EQ(exit_of("/nowhere.so 2> /dev/null"), 2);
    EXPECT_EQ(exit_of("synthetic --case source.seed"), 0) << "a component of an installed plugin is found by its name";
    EXPECT_EQ(exit_of("--list"), 0);
}

}  // namespace
