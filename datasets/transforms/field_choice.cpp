#include "field_choice.hpp"

namespace sluice::transforms {
namespace {

[[noreturn]] void invalid(const std::string& message) { throw sdk::Failure(SLUICE_INVALID, message); }

std::string name_of_role(std::int32_t role) {
    switch (role) {
        case SLUICE_FIELD_TENSOR:
            return "a tensor";
        case SLUICE_FIELD_IMAGE:
            return "an image";
        case SLUICE_FIELD_ENCODED:
            return "an encoded picture";
        case SLUICE_FIELD_CLASS:
            return "a class number";
        case SLUICE_FIELD_LABEL_MAP:
            return "a label map";
        default:
            return "of unknown role " + std::to_string(role);
    }
}

// "'sharp' (an image), 'label' (a class number)"
std::string list_of(std::span<const sluice_field> fields) {
    std::string list;
    for (const sluice_field& field : fields) {
        list +=
            (list.empty() ? "'" : ", '") + std::string(sdk::view(field.name)) + "' (" + name_of_role(field.role) + ")";
    }
    return list.empty() ? "none" : list;
}

Chosen chosen_at(std::size_t index, std::span<const sluice_field> fields) {
    const sluice_field& field = fields[index];
    return {static_cast<std::uint32_t>(index), std::string(sdk::view(field.name)), field.role, field.spec};
}

Chosen field_called(std::string_view name, std::span<const sluice_field> fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (sdk::view(fields[i].name) == name) {
            return chosen_at(i, fields);
        }
    }
    invalid("there is no field '" + std::string(name) + "'; the fields here are " + list_of(fields));
}

std::vector<Chosen> fields_of_role(std::int32_t role, std::span<const sluice_field> fields) {
    std::vector<Chosen> chosen;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].role == role) {
            chosen.push_back(chosen_at(i, fields));
        }
    }
    return chosen;
}

void require_picture(const Chosen& field, bool label_map_will_do) {
    if (field.role == SLUICE_FIELD_ENCODED) {
        invalid("field '" + field.name + "' is an encoded picture and an image is needed: put { use = \"decode\" } " +
                "before this transform");
    }
    const bool is_image = field.role == SLUICE_FIELD_IMAGE;
    if (!is_image && !(label_map_will_do && field.role == SLUICE_FIELD_LABEL_MAP)) {
        invalid("field '" + field.name + "' is " + name_of_role(field.role) + " and an image is needed");
    }
    if (!sdk::same(field.spec.dtype, sdk::kUint8) || field.spec.rank != (is_image ? 3 : 2)) {
        invalid("field '" + field.name + "' is " + sdk::describe(field.spec) + "; " + name_of_role(field.role) +
                " is uint8 [height, width" + (is_image ? ", channels]" : "]"));
    }
}

}  // namespace

FieldChoice::FieldChoice(const sdk::Options& options) {
    if (options.has("fields")) {
        names_ = options.strings("fields");
    }
}

std::vector<Chosen> FieldChoice::pictures(std::span<const sluice_field> fields) const {
    std::vector<Chosen> chosen = named_or_of_role(SLUICE_FIELD_IMAGE, fields);
    if (chosen.empty()) {
        const bool decode_would_help = !fields_of_role(SLUICE_FIELD_ENCODED, fields).empty();
        invalid("there is no image among the fields " + list_of(fields) +
                (decode_would_help ? ": put { use = \"decode\" } before this transform" : ""));
    }
    for (const Chosen& field : chosen) {
        require_picture(field, true);
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::encoded(std::span<const sluice_field> fields) const {
    std::vector<Chosen> chosen = named_or_of_role(SLUICE_FIELD_ENCODED, fields);
    if (chosen.empty()) {
        invalid("there is nothing to decode among the fields " + list_of(fields));
    }
    for (const Chosen& field : chosen) {
        if (field.role != SLUICE_FIELD_ENCODED) {
            invalid("field '" + field.name + "' is " + name_of_role(field.role) + ", there is nothing to decode");
        }
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::named_or_of_role(std::int32_t role, std::span<const sluice_field> fields) const {
    if (!names_) {
        return fields_of_role(role, fields);
    }
    std::vector<Chosen> chosen;
    for (const std::string& name : *names_) {
        chosen.push_back(field_called(name, fields));
    }
    return chosen;
}

Chosen image_called(std::string_view name, std::span<const sluice_field> fields) {
    Chosen field = field_called(name, fields);
    require_picture(field, false);
    return field;
}

}  // namespace sluice::transforms
