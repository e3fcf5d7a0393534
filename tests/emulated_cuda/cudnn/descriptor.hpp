// What a descriptor of the graph API holds: attributes by name, checked against what its kind knows.
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

// Values of one attribute; which member holds them depends on the type. Enumerators and booleans are integers.
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

    // As the functions of the API; throw Failure.
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
             const void* values);
    [[nodiscard]] const Values* get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const;
    void finalize();

    // What finalize() works out, whatever the rules say.
    void put(cudnnBackendAttributeName_t name, Values values) { attributes_[name] = std::move(values); }
    // Of attributes that are there.
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

// What a cudnnBackendDescriptor_t points to. Descriptions are shared: one that others were made of may be destroyed.
struct Descriptor {
    std::shared_ptr<Description> is;
};

}  // namespace emulated::dnn
