#include "sample/field_choice.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

Chosen chosen_at(std::size_t index, std::span<const sluice_field> fields) {
    const sluice_field& field = fields[index];
    return {static_cast<std::uint32_t>(index), std::string(sdk::view(field.name)), field.role, field.spec};
}

std::string kind_of(const Chosen& field) {
    return is_float_image(field) ? "an image of float32" : name_of_role(field.role);
}

// "'sharp' (an image), 'label' (a class number)"
std::string list_of(std::span<const sluice_field> fields) {
    std::string list;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Chosen field = chosen_at(i, fields);
        list += (list.empty() ? "'" : ", '") + field.name + "' (" + kind_of(field) + ")";
    }
    return list.empty() ? "none" : list;
}

Chosen field_called(std::string_view name, std::span<const sluice_field> fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (sdk::view(fields[i].name) == name) {
            return chosen_at(i, fields);
        }
    }
    invalid("there is no field '" + std::string(name) + "'; the fields here are " + list_of(fields));
}

constexpr std::array<std::int32_t, 1> kImages = {SLUICE_FIELD_IMAGE};
constexpr std::array<std::int32_t, 2> kPictures = {SLUICE_FIELD_IMAGE, SLUICE_FIELD_LABEL_MAP};
constexpr std::array<std::int32_t, 1> kEncoded = {SLUICE_FIELD_ENCODED};
constexpr std::array<std::int32_t, 5> kAll = {SLUICE_FIELD_TENSOR, SLUICE_FIELD_IMAGE, SLUICE_FIELD_ENCODED,
                                              SLUICE_FIELD_CLASS, SLUICE_FIELD_LABEL_MAP};
constexpr std::array<std::int32_t, 2> kClasses = {SLUICE_FIELD_CLASS, SLUICE_FIELD_LABEL_MAP};

// The fields with one of the roles; with `float_images` also images of float32.
std::vector<Chosen> fields_of_roles(std::span<const std::int32_t> roles, std::span<const sluice_field> fields,
                                    bool float_images = false) {
    std::vector<Chosen> chosen;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Chosen field = chosen_at(i, fields);
        if (std::ranges::find(roles, field.role) != roles.end() || (float_images && is_float_image(field))) {
            chosen.push_back(std::move(field));
        }
    }
    return chosen;
}

[[noreturn]] void no_image(std::span<const sluice_field> fields) {
    const bool decode_would_help = !fields_of_roles(kEncoded, fields).empty();
    const bool are_float = !fields_of_roles({}, fields, true).empty();
    invalid("there is no image " + std::string(are_float ? "of uint8 " : "") + "among the fields " + list_of(fields) +
            (are_float           ? ": this transform takes no other"
             : decode_would_help ? ": put { use = \"decode\" } before this transform"
                                 : ""));
}

void require_picture(const Chosen& field, const Others& others) {
    if (others.float_images && is_float_image(field)) {
        return;
    }
    if (field.role == SLUICE_FIELD_ENCODED) {
        invalid("field '" + field.name + "' is an encoded picture, but an image is needed: put { use = \"decode\" } " +
                "before this transform");
    }
    const bool is_image = field.role == SLUICE_FIELD_IMAGE;
    if (!is_image && !(others.label_maps && field.role == SLUICE_FIELD_LABEL_MAP)) {
        invalid("field '" + field.name + "' is " + kind_of(field) + ", but an image " +
                (is_float_image(field) ? "of uint8 " : "") + "is needed");
    }
    if (!sdk::same(field.spec.dtype, sdk::kUint8) || field.spec.rank != (is_image ? 3 : 2)) {
        invalid("field '" + field.name + "' is " + sdk::describe(field.spec) + "; " + name_of_role(field.role) +
                " is uint8 [height, width" + (is_image ? ", channels]" : "]"));
    }
}

// Throws unless the field is a label map or a class number.
void require_class(const Chosen& field) {
    if (field.role == SLUICE_FIELD_LABEL_MAP) {
        require_picture(field, {.label_maps = true});
        return;
    }
    if (field.role != SLUICE_FIELD_CLASS) {
        invalid("field '" + field.name + "' is " + kind_of(field) + ", but a class number is needed");
    }
    if (!sdk::same(field.spec.dtype, sdk::kInt64) || field.spec.rank != 0) {
        invalid("field '" + field.name + "' is " + sdk::describe(field.spec) + "; a class number is int64 []");
    }
}

void require_mixable(const Chosen& field, bool cut) {
    if (field.role == SLUICE_FIELD_IMAGE || (cut && is_picture(field))) {
        require_picture(field, {.label_maps = cut, .float_images = cut});
        return;
    }
    if (field.role == SLUICE_FIELD_TENSOR && sdk::same(field.spec.dtype, sdk::kFloat32) &&
        (!cut || field.spec.rank == 1)) {
        return;
    }
    invalid(
        "field '" + field.name + "' is " + kind_of(field) + ", " + sdk::describe(field.spec) + ", but " +
        (cut ? "an image, a label map or a float32 vector" : "an image or a float32 tensor") + " is needed" +
        (field.role == SLUICE_FIELD_CLASS ? ": put { use = \"one_hot\", classes = ... } before this transform" : ""));
}

}  // namespace

bool is_float_image(const Chosen& field) {
    constexpr std::int64_t kMostChannels = 4;  // a tensor with more channels is not an image
    const sluice_tensor_spec& spec = field.spec;
    return field.role == SLUICE_FIELD_TENSOR && sdk::same(spec.dtype, sdk::kFloat32) && spec.rank == 3 &&
           spec.shape[2] >= 1 && spec.shape[2] <= kMostChannels;
}

bool is_picture(const Chosen& field) {
    return field.role == SLUICE_FIELD_IMAGE || field.role == SLUICE_FIELD_LABEL_MAP || is_float_image(field);
}

FieldChoice::FieldChoice(const sdk::Options& options, std::optional<RandomMover> mover) : mover_(std::move(mover)) {
    if (options.has("fields")) {
        names_ = options.strings("fields");
    }
}

std::vector<Chosen> FieldChoice::pictures(std::span<const sluice_field> fields) const {
    std::vector<Chosen> chosen = of_pictures(kPictures, fields, {.label_maps = true, .float_images = true});
    if (mover_) {
        warn_of_unmoved(chosen, fields);
    }
    return chosen;
}

void FieldChoice::warn_of_unmoved(const std::vector<Chosen>& moved, std::span<const sluice_field> fields) const {
    std::string all;
    std::string unmoved;
    for (const Chosen& field : fields_of_roles(kPictures, fields, true)) {
        const bool moves = std::ranges::find(moved, field.index, &Chosen::index) != moved.end();
        std::string& list = moves ? all : unmoved;
        list += (list.empty() ? "'" : ", '") + field.name + "'";
    }
    if (!unmoved.empty()) {
        mover_->host.warn(mover_->name + ": moves the pixels of " + all + " at random but not those of " + unmoved +
                          ", so that their pixels no longer correspond; leave out 'fields', or name all of them, " +
                          "to move them alike");
    }
}

std::vector<Chosen> FieldChoice::images(std::span<const sluice_field> fields) const {
    return of_pictures(kImages, fields, {});
}

std::vector<Chosen> FieldChoice::images_of_any_type(std::span<const sluice_field> fields) const {
    return of_pictures(kImages, fields, {.label_maps = true, .float_images = true});
}

std::vector<Chosen> FieldChoice::classes(std::span<const sluice_field> fields) const {
    std::vector<Chosen> chosen = named_or_of_roles(kClasses, "no class number and no label map", fields);
    if (chosen.empty()) {
        invalid("there is no class number and no label map among the fields " + list_of(fields));
    }
    for (const Chosen& field : chosen) {
        require_class(field);
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::encoded(std::span<const sluice_field> fields) const {
    std::vector<Chosen> chosen = named_or_of_roles(kEncoded, "nothing to decode", fields);
    if (chosen.empty()) {
        invalid("there is nothing to decode among the fields " + list_of(fields));
    }
    for (const Chosen& field : chosen) {
        if (field.role != SLUICE_FIELD_ENCODED) {
            invalid("field '" + field.name + "' is " + name_of_role(field.role) + "; there is nothing to decode");
        }
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::mixed(std::span<const sluice_field> fields, bool cut) const {
    std::vector<Chosen> chosen = named_or_of_roles(kAll, "nothing to mix", fields);
    if (chosen.empty()) {
        invalid("there is nothing to mix among the fields " + list_of(fields));
    }
    for (const Chosen& field : chosen) {
        require_mixable(field, cut);
    }
    if (cut && std::ranges::none_of(chosen, is_picture)) {
        no_image(fields);
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::of_pictures(std::span<const std::int32_t> roles, std::span<const sluice_field> fields,
                                             const Others& others) const {
    std::vector<Chosen> chosen =
        names_ ? named("no image", fields) : fields_of_roles(roles, fields, others.float_images);
    if (chosen.empty()) {
        no_image(fields);
    }
    for (const Chosen& field : chosen) {
        require_picture(field, others);
    }
    return chosen;
}

std::vector<Chosen> FieldChoice::named_or_of_roles(std::span<const std::int32_t> roles, const char* lack,
                                                   std::span<const sluice_field> fields) const {
    return names_ ? named(lack, fields) : fields_of_roles(roles, fields);
}

std::vector<Chosen> FieldChoice::named(const char* lack, std::span<const sluice_field> fields) const {
    if (names_->empty()) {
        invalid(std::string("option 'fields' is empty, so there is ") + lack + "; leave it out, or name some of " +
                list_of(fields));
    }
    std::vector<Chosen> chosen;
    for (const std::string& name : *names_) {
        chosen.push_back(field_called(name, fields));
    }
    return chosen;
}

void require_rgb(const Chosen& field) {
    if (field.spec.shape[2] != 3) {
        invalid("field '" + field.name + "' is " + sdk::describe(field.spec) +
                "; 3 channels, red, green and blue, are needed");
    }
}

Chosen image_called(std::string_view name, std::span<const sluice_field> fields) {
    Chosen field = field_called(name, fields);
    require_picture(field, {});
    return field;
}

Chosen class_called(std::string_view name, std::span<const sluice_field> fields) {
    Chosen field = field_called(name, fields);
    if (field.role == SLUICE_FIELD_LABEL_MAP) {
        invalid("field '" + field.name + "' is a label map, but a class number is needed");
    }
    require_class(field);
    return field;
}

}  // namespace sluice::transforms
