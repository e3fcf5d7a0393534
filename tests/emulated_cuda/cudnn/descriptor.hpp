// The content of a descriptor of the graph API: attributes by name, checked against the rules of its kind.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cudnn.h"

namespace emulated::dnn {

struct Failure {
    cudnnStatus_t status;
    std::string text;
};
[[noreturn]] void fail(cudnnStatus_t status, std::string text);

class Description;
using Part = std::shared_ptr<const Description>;

// Values of one attribute. The type decides which member holds them; enumerators and booleans are integers.
struct Values {
    cudnnBackendAttributeType_t type;
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::vector<void*> pointers;
    std::vector<Part> parts;
};

class Description {
public:
    explicit Description(cudnnBackendDescriptorType_t kind);

    [[nodiscard]] cudnnBackendDescriptorType_t kind() const { return kind_; }
    [[nodiscard]] bool is_final() const { return is_final_; }

    // These work like the functions of the API. They throw Failure.
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
             const void* values);
    [[nodiscard]] const Values* get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const;
    void expect_required() const;
    // From now on the attributes are constant. Called by finalize() of finalize.hpp.
    void set_final() { is_final_ = true; }

    // Sets a result of finalize(), without checking the rules.
    void put(cudnnBackendAttributeName_t name, Values values) { attributes_[name] = std::move(values); }
    // Except for has(), the attribute must be set.
    [[nodiscard]] bool has(cudnnBackendAttributeName_t name) const { return attributes_.count(name) != 0; }
    [[nodiscard]] std::int64_t integer(cudnnBackendAttributeName_t name) const { return integers(name).at(0); }
    [[nodiscard]] double real(cudnnBackendAttributeName_t name) const { return attributes_.at(name).reals.at(0); }
    [[nodiscard]] const std::vector<std::int64_t>& integers(cudnnBackendAttributeName_t name) const {
        return attributes_.at(name).integers;
    }
    [[nodiscard]] const std::vector<void*>& pointers(cudnnBackendAttributeName_t name) const {
        return attributes_.at(name).pointers;
    }
    [[nodiscard]] const std::vector<Part>& parts(cudnnBackendAttributeName_t name) const {
        return attributes_.at(name).parts;
    }
    [[nodiscard]] const Description& part(cudnnBackendAttributeName_t name) const { return *parts(name).at(0); }

private:
    cudnnBackendDescriptorType_t kind_;
    bool is_final_ = false;
    std::map<cudnnBackendAttributeName_t, Values> attributes_;
};

// The target of a cudnnBackendDescriptor_t. Descriptions are shared, because a descriptor may be destroyed while others
// refer to its description.
struct Descriptor {
    std::shared_ptr<Description> is;
};

}  // namespace emulated::dnn
