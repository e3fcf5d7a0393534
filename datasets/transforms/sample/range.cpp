#include "sample/range.hpp"

namespace sluice::transforms {

Range pair_of(const sdk::Options& options, const std::string& name) {
    const std::vector<double> ends = options.numbers(name);
    if (ends.at(0) > ends.at(1)) {
        throw sdk::Failure(SLUICE_INVALID, "option '" + name + "': the first number, " + std::to_string(ends[0]) +
                                               ", is greater than the second, " + std::to_string(ends[1]));
    }
    return {ends[0], ends[1]};
}

Range range_of(const sdk::Options& options, const std::string& name) {
    const std::string range_name = name + "_range";
    if (options.has(range_name)) {
        return pair_of(options, range_name);
    }
    return {options.number(name), options.number(name)};
}

}  // namespace sluice::transforms
