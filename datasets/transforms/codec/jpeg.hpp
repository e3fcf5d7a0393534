// Decodes JPEG files to RGB with libjpeg-turbo.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "codec/reader.hpp"

namespace sluice::transforms {

bool is_jpeg(std::span<const std::uint8_t> file);

// Reads one file, whose bytes have to outlive the reader. Throws SLUICE_BAD_SAMPLE for every error in the file.
class JpegReader final : public PictureReader {
public:
    explicit JpegReader(std::span<const std::uint8_t> file);
    ~JpegReader() override;
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    [[nodiscard]] Extent extent() const override;
    [[nodiscard]] bool is_grey() const override;
    [[nodiscard]] bool is_cmyk() const override;
    bool shrink(int times) override;
    void read(std::uint8_t* rgb) override;
    [[nodiscard]] std::string remark() const override;

private:
    [[nodiscard]] bool can_read_part() const override;
    bool read_cut_out(const Window& window, std::uint8_t* rgb);
    void read_rows(const Window& window, std::uint8_t* rgb);
    void read_part(const Window& window, std::uint8_t* rgb) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
