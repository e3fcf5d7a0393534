// Chooses the fields of a sample that a transform works on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/sdk/data.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::transforms {

// A chosen field.
struct Chosen {
    std::uint32_t index = 0;  // among the incoming fields
    std::string name;
    std::int32_t role = SLUICE_FIELD_IMAGE;
    sluice_tensor_spec spec = {};
};

// A transform that moves pixels at random; for warnings.
struct RandomMover {
    sdk::Host host;
    std::string name;
};

// True for an image of float32: a tensor [height, width, channels], as decode makes it.
bool is_float_image(const Chosen& field);
// True for an image of uint8 or float32, or a label map.
bool is_picture(const Chosen& field);

// Fields that are accepted besides images of uint8.
struct Others {
    bool label_maps = false;
    bool float_images = false;
};

// The option `fields`: a list of names; if absent, every field of the usual roles.
class FieldChoice {
public:
    // `mover`: warn if it would move some pictures of a sample and not the others.
    explicit FieldChoice(const sdk::Options& options, std::optional<RandomMover> mover = {});

    // Images and label maps, for transforms that move pixels. Throws SLUICE_INVALID if there is none, a name is unknown
    // or a field has another kind.
    [[nodiscard]] std::vector<Chosen> pictures(std::span<const sluice_field> fields) const;
    // Images of uint8, for transforms that change colours. Throws likewise.
    [[nodiscard]] std::vector<Chosen> images(std::span<const sluice_field> fields) const;
    // Images of uint8 and float32; label maps only if they are named. Throws likewise.
    [[nodiscard]] std::vector<Chosen> images_of_any_type(std::span<const sluice_field> fields) const;
    // Class numbers and label maps. Throws likewise.
    [[nodiscard]] std::vector<Chosen> classes(std::span<const sluice_field> fields) const;
    // Encoded pictures. Throws likewise.
    [[nodiscard]] std::vector<Chosen> encoded(std::span<const sluice_field> fields) const;
    // For transforms that mix the samples of a batch: images and float32 tensors, such as labels. With `cut`, pieces
    // are cut out of pictures: label maps are accepted too, tensors only as vectors, and there has to be a picture.
    // Without names, all fields. Throws likewise.
    [[nodiscard]] std::vector<Chosen> mixed(std::span<const sluice_field> fields, bool cut) const;

private:
    [[nodiscard]] std::vector<Chosen> of_pictures(std::span<const std::int32_t> roles,
                                                  std::span<const sluice_field> fields, const Others& others) const;
    // `lack`: text for the message if the list is empty.
    [[nodiscard]] std::vector<Chosen> named(const char* lack, std::span<const sluice_field> fields) const;
    [[nodiscard]] std::vector<Chosen> named_or_of_roles(std::span<const std::int32_t> roles, const char* lack,
                                                        std::span<const sluice_field> fields) const;
    void warn_of_unmoved(const std::vector<Chosen>& moved, std::span<const sluice_field> fields) const;

    std::optional<std::vector<std::string>> names_;
    std::optional<RandomMover> mover_;
};

// Throws SLUICE_INVALID if the image does not have 3 channels.
void require_rgb(const Chosen& field);

// Return the image, or the class number, called `name`. Throw SLUICE_INVALID if there is none.
Chosen image_called(std::string_view name, std::span<const sluice_field> fields);
Chosen class_called(std::string_view name, std::span<const sluice_field> fields);

}  // namespace sluice::transforms
