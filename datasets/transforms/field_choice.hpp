// Which of a sample's fields a transform works on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/sdk/data.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::transforms {

// One field that was chosen.
struct Chosen {
    std::uint32_t index = 0;  // among the fields that come in
    std::string name;
    std::int32_t role = SLUICE_FIELD_IMAGE;
    sluice_tensor_spec spec = {};
};

// A transform that moves pixels to places that it draws.
struct RandomMover {
    sdk::Host host;
    std::string name;
};

// An image of float32: a tensor [height, width, channels], as decode makes it.
bool is_float_image(const Chosen& field);
// An image, of uint8 or float32, or a label map.
bool is_picture(const Chosen& field);

// What will do where an image of uint8 is asked for.
struct Others {
    bool label_maps = false;
    bool float_images = false;
};

// The option `fields`: a list of names, or absent for every field of the usual roles.
class FieldChoice {
public:
    // `mover`: tells where it moves some pictures of a sample and leaves others.
    explicit FieldChoice(const sdk::Options& options, std::optional<RandomMover> mover = {});

    // Images and label maps, for what moves pixels. Throws SLUICE_INVALID where there is none, where a name is unknown
    // or where a field is something else.
    [[nodiscard]] std::vector<Chosen> pictures(std::span<const sluice_field> fields) const;
    // Images of uint8, for what changes colours.
    [[nodiscard]] std::vector<Chosen> images(std::span<const sluice_field> fields) const;
    // Images; label maps only where they are named.
    [[nodiscard]] std::vector<Chosen> images_of_any_type(std::span<const sluice_field> fields) const;
    // Class numbers and label maps. Throws likewise.
    [[nodiscard]] std::vector<Chosen> classes(std::span<const sluice_field> fields) const;
    // Encoded pictures. Throws likewise.
    [[nodiscard]] std::vector<Chosen> encoded(std::span<const sluice_field> fields) const;
    // For what mixes the samples of a batch: images and float32 tensors, such as labels; where pieces are `cut` out of
    // pictures, of which there has to be one, label maps too, and tensors only as vectors. Without names all fields.
    [[nodiscard]] std::vector<Chosen> mixed(std::span<const sluice_field> fields, bool cut) const;

private:
    [[nodiscard]] std::vector<Chosen> of_pictures(std::span<const std::int32_t> roles,
                                                  std::span<const sluice_field> fields, const Others& others) const;
    // `lack`: what there is where the list is empty.
    [[nodiscard]] std::vector<Chosen> named(const char* lack, std::span<const sluice_field> fields) const;
    [[nodiscard]] std::vector<Chosen> named_or_of_roles(std::span<const std::int32_t> roles, const char* lack,
                                                        std::span<const sluice_field> fields) const;
    void tell_of_unmoved(const std::vector<Chosen>& moved, std::span<const sluice_field> fields) const;

    std::optional<std::vector<std::string>> names_;
    std::optional<RandomMover> mover_;
};

// Throws SLUICE_INVALID where the image has not 3 channels.
void require_rgb(const Chosen& field);

// The image, or the class number, called `name`. Throws likewise.
Chosen image_called(std::string_view name, std::span<const sluice_field> fields);
Chosen class_called(std::string_view name, std::span<const sluice_field> fields);

}  // namespace sluice::transforms
