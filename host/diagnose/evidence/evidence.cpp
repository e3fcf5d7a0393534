#include "diagnose/evidence/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "config/load.hpp"
#include "config/pipeline_text.hpp"

namespace sluice::diagnose {
namespace {

using Json = nlohmann::ordered_json;

// One list of the fields of a struct serves both directions: `each` gets a name and a reference.
template <class StageLike, class Each>
void each_field_of_stage(StageLike& stage, const Each& each) {
    each("name", stage.name);
    each("reads", stage.reads);
    each("calls", stage.calls);
    each("seconds", stage.seconds);
    each("computed", stage.computed);
    each("bytes", stage.bytes);
}

template <class OperationLike, class Each>
void each_field_of_operation(OperationLike& operation, const Each& each) {
    each("layer", operation.layer);
    each("direction", operation.direction);
    each("seconds", operation.seconds);
    each("flop", operation.flop);
    each("limit", operation.limit);
}

template <class TimesLike, class Each>
void each_field_of_process(TimesLike& process, const Each& each) {
    each("rank", process.rank);
    each("own", process.own);
    each("input", process.input);
}

template <class OtherLike, class Each>
void each_field_of_other(OtherLike& other, const Each& each) {
    each("name", other.name);
    each("id", other.id);
    each("cores", other.cores);
}

template <class FactsLike, class Each>
void each_field_of_facts(FactsLike& facts, const Each& each) {
    each("steps", facts.steps);
    each("samples", facts.samples);
    each("seconds", facts.seconds);
    each("variation", facts.variation);
    each("stages", facts.stages);
    each("evaluation", facts.evaluation);
    each("evaluation_input", facts.evaluation_input);
    each("checkpoints", facts.checkpoints);
    each("has_rare_evaluations", facts.has_rare_evaluations);
    each("has_rare_checkpoints", facts.has_rare_checkpoints);
    each("length", facts.length);
    each("filling_seconds", facts.filling_seconds);
    each("steady_entries", facts.steady_entries);
    each("epoch_samples", facts.epoch_samples);
    each("validation_samples", facts.validation_samples);
    each("has_files", facts.has_files);
    each("workers", facts.workers);
    each("prefetch", facts.prefetch);
    each("workers_busy", facts.workers_busy);
    each("input_queued", facts.input_queued);
    each("cores", facts.cores);
    each("cores_computing", facts.cores_computing);
    each("cores_input", facts.cores_input);
    each("cores_observers", facts.cores_observers);
    each("cores_other", facts.cores_other);
    each("run_queue", facts.run_queue);
    each("disk_read", facts.disk_read);
    each("disk_write", facts.disk_write);
    each("cache_growth", facts.cache_growth);
    each("growth", facts.growth);
    each("growth_error", facts.growth_error);
    each("resident", facts.resident);
    each("available", facts.available);
    each("cache_room", facts.cache_room);
    each("disk_room", facts.disk_room);
    each("disk_rate", facts.disk_rate);
    each("device_bytes", facts.device_bytes);
    each("device_room", facts.device_room);
    each("is_host_device", facts.is_host_device);
    each("has_fast_16_bits", facts.has_fast_16_bits);
    each("replicas", facts.replicas);
    each("lag", facts.lag);
    each("lag_error", facts.lag_error);
}

template <class VariantLike, class Each>
void each_field_of_variant(VariantLike& variant, const Each& each) {
    each("name", variant.name);
    each("what", variant.what);
    each("sets", variant.sets);
    each("batch", variant.batch);
    each("warm_samples", variant.warm_samples);
    each("cost", variant.cost);
    each("is_hint", variant.is_hint);
    each("is_alone", variant.is_alone);
    each("is_in_memory", variant.is_in_memory);
    each("is_cold", variant.is_cold);
    each("starts_anew", variant.starts_anew);
    each("loses_output", variant.loses_output);
}

struct Writing {
    Json& json;
    template <class Value>
    void operator()(const char* name, const Value& value) const {
        json[name] = value;
    }
};

struct Reading {
    const Json& json;
    template <class Value>
    void operator()(const char* name, Value& value) const {
        const Json& stored = json.at(name);
        if constexpr (std::is_same_v<Value, double>) {
            value = stored.is_null() ? std::nan("") : stored.get<double>();
        } else {
            stored.get_to(value);
        }
    }
};

Json json_of(const Facts& facts) {
    Json json;
    each_field_of_facts(facts, Writing{json});
    json["input"] = Json::array();
    for (const InputStage& stage : facts.input) {
        each_field_of_stage(stage, Writing{json["input"].emplace_back()});
    }
    json["operations"] = Json::array();
    for (const Operation& operation : facts.operations) {
        each_field_of_operation(operation, Writing{json["operations"].emplace_back()});
    }
    json["processes"] = Json::array();
    for (const ProcessTimes& process : facts.processes) {
        each_field_of_process(process, Writing{json["processes"].emplace_back()});
    }
    json["others"] = Json::array();
    for (const OtherProcess& other : facts.others) {
        each_field_of_other(other, Writing{json["others"].emplace_back()});
    }
    return json;
}

Facts facts_of(const Json& json) {
    Facts facts;
    each_field_of_facts(facts, Reading{json});
    for (const Json& stage : json.at("input")) {
        each_field_of_stage(facts.input.emplace_back(), Reading{stage});
    }
    for (const Json& operation : json.at("operations")) {
        each_field_of_operation(facts.operations.emplace_back(), Reading{operation});
    }
    for (const Json& process : json.at("processes")) {
        each_field_of_process(facts.processes.emplace_back(), Reading{process});
    }
    for (const Json& other : json.at("others")) {
        each_field_of_other(facts.others.emplace_back(), Reading{other});
    }
    return facts;
}

Json json_of(const Result& result) {
    Json json;
    each_field_of_variant(result.variant, Writing{json});
    json["class"] = name_of(result.variant.change);
    const Ratio& ratio = result.ratio;
    json["ratio"] = ratio.is_known() ? Json::array({ratio.value, ratio.low, ratio.high}) : Json();
    json["rounds"] = ratio.rounds;
    json["failure"] = result.failure;
    json["seconds"] = result.seconds;
    return json;
}

Result result_of(const Json& json) {
    Result result;
    each_field_of_variant(result.variant, Reading{json});
    const auto change = std::ranges::find(kChangeClassNames, json.at("class").get<std::string>());
    result.variant.change = static_cast<ChangeClass>(change - kChangeClassNames.begin());
    if (const Json& ratio = json.at("ratio"); ratio.is_array()) {
        result.ratio = {.value = ratio.at(0), .low = ratio.at(1), .high = ratio.at(2), .rounds = json.at("rounds")};
    }
    result.failure = json.at("failure");
    result.seconds = json.at("seconds");
    return result;
}

}  // namespace

const Result* Evidence::find(std::string_view name) const {
    const auto found = std::ranges::find_if(results, [&](const Result& one) { return one.variant.name == name; });
    return found != results.end() ? &*found : nullptr;
}

const Ratio* Evidence::ratio_of(std::string_view name) const {
    const Result* const result = find(name);
    return result != nullptr && result->ratio.is_known() ? &result->ratio : nullptr;
}

bool Evidence::has_tried(std::string_view name) const { return find(name) != nullptr; }

double Evidence::gain(std::string_view name) const {
    const Ratio* const ratio = ratio_of(name);
    return ratio != nullptr ? ratio->gain() : 0.0;
}

std::string to_json(const Evidence& evidence) {
    Json results = Json::array();
    for (const Result& result : evidence.results) {
        results.push_back(json_of(result));
    }
    const Json all{{"pipeline", config::to_pipeline_toml(evidence.spec.resolved, config::Origins::leave_out)},
                   {"facts", json_of(evidence.facts)},
                   {"results", results}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Evidence evidence_of(std::string_view json, const std::string& name) {
    try {
        const Json all = Json::parse(json);
        Evidence evidence{.spec = config::load_pipeline_text(all.at("pipeline").get<std::string>(), name, {}),
                          .facts = facts_of(all.at("facts"))};
        for (const Json& result : all.at("results")) {
            evidence.results.push_back(result_of(result));
        }
        return evidence;
    } catch (const nlohmann::json::exception& error) {
        throw Error(Exit::config, name + ": is no evidence of a diagnosis: " + error.what());
    }
}

}  // namespace sluice::diagnose
