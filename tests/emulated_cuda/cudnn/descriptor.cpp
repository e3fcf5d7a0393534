#include "descriptor.hpp"

#include <algorithm>
#include <cstring>

#include "attributes.hpp"

namespace emulated::dnn {
namespace {

using Use = AttributeRule::Use;

const AttributeRule& find_rule(cudnnBackendDescriptorType_t kind, cudnnBackendAttributeName_t name,
                               cudnnBackendAttributeType_t type) {
    const std::span<const AttributeRule> rules = rules_of(kind);
    const auto found = std::ranges::find(rules, name, &AttributeRule::name);
    if (found == rules.end()) {
        fail(CUDNN_STATUS_BAD_PARAM,
             "descriptors of kind " + std::to_string(kind) + " have no attribute " + std::to_string(name));
    }
    if (found->type != type) {
        fail(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "attribute " + std::to_string(name) + " is of type " +
                                                        std::to_string(found->type) + ", not " + std::to_string(type));
    }
    return *found;
}

template <class T, class To>
void append(const void* values, std::int64_t count, std::vector<To>& to) {
    const T* const first = static_cast<const T*>(values);
    to.insert(to.end(), first, first + count);
}

std::vector<Part> read_parts(const AttributeRule& rule, std::int64_t count, const void* values) {
    std::vector<Part> parts;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto* const part = static_cast<const Descriptor* const*>(values)[i];
        if (part == nullptr) {
            fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "attribute " + std::to_string(rule.name) + ": a part is NULL");
        }
        if (!takes_part(rule, part->is->kind())) {
            fail(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "attribute " + std::to_string(rule.name) +
                                                             " cannot be a descriptor of kind " +
                                                             std::to_string(part->is->kind()));
        }
        if (!part->is->is_final()) {
            fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED,
                 "attribute " + std::to_string(rule.name) + ": a part was not finalized");
        }
        parts.push_back(part->is);
    }
    return parts;
}

Values read_values(const AttributeRule& rule, std::int64_t count, const void* from) {
    Values values{rule.type, {}, {}, {}, {}};
    switch (rule.type) {
        case CUDNN_TYPE_INT64:
            append<std::int64_t>(from, count, values.integers);
            break;
        case CUDNN_TYPE_BOOLEAN:
            append<bool>(from, count, values.integers);
            break;
        case CUDNN_TYPE_FLOAT:
            append<float>(from, count, values.reals);
            break;
        case CUDNN_TYPE_DOUBLE:
            append<double>(from, count, values.reals);
            break;
        case CUDNN_TYPE_HANDLE:
        case CUDNN_TYPE_VOID_PTR:
            append<void*>(from, count, values.pointers);
            break;
        case CUDNN_TYPE_BACKEND_DESCRIPTOR:
            values.parts = read_parts(rule, count, from);
            break;
        default:
            append<std::int32_t>(from, count, values.integers);
    }
    return values;
}

}  // namespace

void fail(cudnnStatus_t status, std::string text) { throw Failure{status, std::move(text)}; }

Description::Description(cudnnBackendDescriptorType_t kind) : kind_(kind) {
    if (rules_of(kind).empty()) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "descriptors of kind " + std::to_string(kind) + " are not emulated");
    }
}

void Description::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                      const void* values) {
    if (is_final_) {
        fail(CUDNN_STATUS_BAD_PARAM,
             "attribute " + std::to_string(name) + " is set after its descriptor was finalized");
    }
    const AttributeRule& rule = find_rule(kind_, name, type);
    if (rule.use == Use::result) {
        fail(CUDNN_STATUS_BAD_PARAM, "attribute " + std::to_string(name) + " can only be read");
    }
    if (count < 1 || count > rule.most) {
        fail(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "attribute " + std::to_string(name) + " takes 1 to " +
                                                      std::to_string(rule.most) + " values, not " +
                                                      std::to_string(count));
    }
    if (values == nullptr) {
        fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "attribute " + std::to_string(name) + ": no values");
    }
    attributes_[name] = read_values(rule, count, values);
}

const Values* Description::get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const {
    if (!is_final_) {
        fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED,
             "attribute " + std::to_string(name) + " is read before its descriptor was finalized");
    }
    find_rule(kind_, name, type);
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : &found->second;
}

void Description::expect_required() const {
    for (const AttributeRule& rule : rules_of(kind_)) {
        if (rule.use == Use::required && !has(rule.name)) {
            fail(CUDNN_STATUS_BAD_PARAM, "attribute " + std::to_string(rule.name) + " of a descriptor of kind " +
                                             std::to_string(kind_) + " was not set");
        }
    }
}

}  // namespace emulated::dnn
