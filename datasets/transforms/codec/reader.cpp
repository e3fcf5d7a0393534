#include "codec/reader.hpp"

#include <vector>

namespace sluice::transforms {

void PictureReader::read_window(const Window& window, std::uint8_t* pixels) {
    const Extent whole = extent();
    if (window.extent == whole) {
        read(pixels);
    } else if (can_read_part()) {
        read_part(window, pixels);
    } else {
        Picture all{nullptr, whole, channels(), value_bytes()};
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(whole.height * all.row_bytes()));
        read(bytes.data());
        all.bytes = bytes.data();
        copy_window(all, window, pixels);
    }
}

}  // namespace sluice::transforms
