// The attributes of each kind of descriptor.
#pragma once

#include <span>

#include "cudnn.h"

namespace emulated::dnn {

struct AttributeRule {
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    enum class Use { required, optional, result } use = Use::required;    // a result can only be read
    std::int64_t most = 1;                                                // values
    cudnnBackendDescriptorType_t part = CUDNN_BACKEND_TENSOR_DESCRIPTOR;  // of attributes that hold descriptors
};

// Returns no rules if the kind is not emulated.
std::span<const AttributeRule> rules_of(cudnnBackendDescriptorType_t kind);

// True if the attribute may hold a part of that kind. The operations of a graph are of several kinds.
bool takes_part(const AttributeRule& rule, cudnnBackendDescriptorType_t part);

}  // namespace emulated::dnn
