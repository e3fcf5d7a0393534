#include "config/spec.hpp"

namespace sluice::config {

const std::vector<std::string>& sampling_names() {
    static const std::vector<std::string> names = {"uniform", "balanced", "classes", "weights"};
    return names;
}

const std::vector<std::string>& schedule_names() {
    static const std::vector<std::string> names = {"constant", "cosine", "linear", "step", "plateau"};
    return names;
}

Origin origin_of(const Table& resolved, std::string_view path) {
    Origin origin;
    const Table* table = &resolved;
    while (table != nullptr && !path.empty()) {
        const std::size_t dot = path.find('.');
        const Value* value = table->find(path.substr(0, dot));
        if (value == nullptr) {
            break;
        }
        origin = value->origin;
        table = value->as_table();
        path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
    }
    return origin;
}

}  // namespace sluice::config
