// A convolution as an operation graph of cuDNN.
#pragma once

#include <deque>

#include "graph/conv_problem.hpp"
#include "graph/target.hpp"

namespace sluice::cudnn {

// Ids of a graph's tensors. A launch binds memory to these ids.
enum class Operand : std::int64_t { x = 1, w, y, bias, convolved, biased, sums, squares };

class ConvGraph {
public:
    // Throws if cuDNN rejects the graph.
    ConvGraph(const ConvProblem& problem, const Target& target);
    [[nodiscard]] const Descriptor& graph() const { return graph_; }

private:
    // dims: batch, channels, height, width. Virtual tensors are never in memory.
    const Descriptor& tensor(Operand operand, std::array<std::int64_t, 4> dims, cudnnDataType_t type,
                             bool is_virtual = false);
    const Descriptor& convolution(const ConvProblem& problem, const Descriptor& result);
    const Descriptor& pointwise(cudnnPointwiseMode_t mode, const Descriptor& from, const Descriptor* operand,
                                const Descriptor& to);
    const Descriptor& channel_sums(const Descriptor& from, std::int64_t channels);

    std::deque<Descriptor> parts_;  // descriptors that the graph points to
    Descriptor graph_;
};

}  // namespace sluice::cudnn
