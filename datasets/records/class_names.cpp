#include "class_names.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "record_formats/layout.hpp"

namespace sluice::records {
namespace {

using nlohmann::json;

// Stops at the first entry that is not a name.
std::vector<std::string> names_in(const json& list) {
    std::vector<std::string> names;
    for (const json& one : list.is_array() ? list : json::array()) {
        const auto* const name = one.get_ptr<const std::string*>();
        if (name == nullptr || name->empty()) {
            break;
        }
        names.push_back(*name);
    }
    return names;
}

}  // namespace

void ClassNames::add(const std::string& file, std::string_view manifest) {
    const json parsed = json::parse(manifest, nullptr, false);
    const auto found = parsed.is_object() ? parsed.find(kClassNames) : parsed.end();
    if (!conflict_.empty() || found == parsed.end() || !found->is_object()) {
        return;
    }
    for (const auto& [field, list] : found->items()) {
        add(field, {names_in(list), file});
    }
    if (!conflict_.empty()) {
        fields_.clear();
    }
}

void ClassNames::add(const std::string& field, const OfField& more) {
    OfField& known = fields_[field];
    const auto [one, other] = std::ranges::mismatch(known.names, more.names);
    if (one != known.names.end() && other != more.names.end()) {
        conflict_ = "class " + std::to_string(one - known.names.begin()) + " of field '" + field + "' is '" + *one +
                    "' in " + known.file + " and '" + *other + "' in " + more.file;
    } else if (known.names.size() < more.names.size()) {
        known = more;
    }
}

std::string_view ClassNames::name(const std::string& field, std::uint64_t number) const noexcept {
    const auto found = fields_.find(field);
    return found == fields_.end() || number >= found->second.names.size()
               ? std::string_view()
               : std::string_view(found->second.names[static_cast<std::size_t>(number)]);
}

}  // namespace sluice::records
