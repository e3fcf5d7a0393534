// Sheets of samples.
#include "pictures/sample_sheet.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kGap = 4;  // pixels between pictures and around them
constexpr int kErrorGain = 4;
constexpr const char* kColumns[] = {"input", "output", "target"};

// A batch of pictures: uint8 [N, H, W, C], C 1 or 3.
class Pictures {
public:
    Pictures(const std::string& name, const sluice_tensor& tensor) : tensor_(tensor) {
        if (tensor.rank != 4 || !sdk::same(tensor.dtype, sdk::kUint8) || (channels() != 1 && channels() != 3)) {
            throw sdk::Failure(
                SLUICE_INVALID,
                "tensor '" + name + "' is " +
                    sdk::describe(sdk::make_spec(tensor.dtype, {tensor.shape, static_cast<std::size_t>(tensor.rank)})) +
                    "; it must be uint8 [samples, height, width, 1 or 3]");
        }
    }
    [[nodiscard]] std::int64_t count() const { return tensor_.shape[0]; }
    [[nodiscard]] std::int64_t height() const { return tensor_.shape[1]; }
    [[nodiscard]] std::int64_t width() const { return tensor_.shape[2]; }
    [[nodiscard]] std::int64_t channels() const { return tensor_.shape[3]; }
    [[nodiscard]] bool is_like(const Pictures& other) const {
        return std::equal(tensor_.shape, tensor_.shape + 4, other.tensor_.shape);
    }
    // Grey pictures give three equal values.
    [[nodiscard]] Rgb at(std::int64_t n, std::int64_t y, std::int64_t x) const {
        const std::int64_t* step = tensor_.strides;
        const auto* pixel = static_cast<const std::uint8_t*>(tensor_.data) + tensor_.byte_offset + n * step[0] +
                            y * step[1] + x * step[2];
        return channels() == 1 ? Rgb{*pixel, *pixel, *pixel} : Rgb{pixel[0], pixel[step[3]], pixel[2 * step[3]]};
    }

private:
    sluice_tensor tensor_;
};

Rgb error_of(Rgb a, Rgb b) {
    Rgb error{};
    for (std::size_t i = 0; i < 3; ++i) {
        error[i] = static_cast<std::uint8_t>(std::min(255, kErrorGain * std::abs(int{a[i]} - int{b[i]})));
    }
    return error;
}

struct Column {
    std::string title;
    std::int64_t samples;
    std::int64_t height;
    std::int64_t width;
    std::function<Rgb(std::int64_t n, std::int64_t y, std::int64_t x)> pixel;

    [[nodiscard]] std::int64_t width_on_sheet() const { return std::max(width, text_width(title)); }
};

Column column_of(const std::string& title, const Pictures& pictures) {
    return {title, pictures.count(), pictures.height(), pictures.width(),
            [pictures](std::int64_t n, std::int64_t y, std::int64_t x) { return pictures.at(n, y, x); }};
}

Column error_column(const Pictures& output, const Pictures& target) {
    return {"error x" + std::to_string(kErrorGain), output.count(), output.height(), output.width(),
            [output, target](std::int64_t n, std::int64_t y, std::int64_t x) {
                return error_of(output.at(n, y, x), target.at(n, y, x));
            }};
}

std::optional<Pictures> find_pictures(const sluice_event& event, const std::string& name) {
    for (std::uint64_t i = 0; i < event.tensor_count; ++i) {
        if (sdk::view(event.tensors[i].name) == name) {
            return Pictures(name, event.tensors[i].tensor);
        }
    }
    return std::nullopt;
}

std::vector<Column> columns_of(const sluice_event& event) {
    std::vector<Column> columns;
    for (const char* name : kColumns) {
        if (const auto pictures = find_pictures(event, name)) {
            columns.push_back(column_of(name, *pictures));
        }
    }
    const auto output = find_pictures(event, "output");
    const auto target = find_pictures(event, "target");
    if (output && target && output->is_like(*target)) {
        columns.push_back(error_column(*output, *target));
    }
    if (columns.empty()) {
        throw sdk::Failure(SLUICE_INVALID, "samples '" + std::string(sdk::view(event.text)) +
                                               "' have none of the tensors input, output, target");
    }
    return columns;
}

void draw_column(Sheet& sheet, const Column& column, std::int64_t left, std::int64_t rows, std::int64_t row_height) {
    sheet.draw_text(left, kGap, column.title);
    for (std::int64_t n = 0; n < rows; ++n) {
        const std::int64_t top = kGap + kTextHeight + kGap + n * (row_height + kGap);
        for (std::int64_t y = 0; y < column.height; ++y) {
            for (std::int64_t x = 0; x < column.width; ++x) {
                sheet.set(left + x, top + y, column.pixel(n, y, x));
            }
        }
    }
}

}  // namespace

Sheet sheet_of(const sluice_event& samples, std::int64_t most_rows) {
    const std::vector<Column> columns = columns_of(samples);
    std::int64_t rows = most_rows;
    std::int64_t row_height = 0;
    std::int64_t width = kGap;
    for (const Column& column : columns) {
        rows = std::min(rows, column.samples);
        row_height = std::max(row_height, column.height);
        width += column.width_on_sheet() + kGap;
    }
    Sheet sheet(width, kGap + kTextHeight + kGap + rows * (row_height + kGap));
    std::int64_t left = kGap;
    for (const Column& column : columns) {
        draw_column(sheet, column, left, rows, row_height);
        left += column.width_on_sheet() + kGap;
    }
    return sheet;
}

}  // namespace sluice::observers
