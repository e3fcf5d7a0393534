// Sheets of samples as PNG files in the run's folder.
#include "images.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "output_file.hpp"
#include "png_writer.hpp"
#include "retry.hpp"
#include "sheet.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kGap = 4;  // pixels between pictures and around them
constexpr int kErrorGain = 4;
constexpr std::size_t kMostWaiting = 64U << 20;  // most bytes of sheets that could not be written yet
constexpr const char* kColumns[] = {"input", "output", "target"};

// A batch of pictures: uint8 [N, H, W, C], C 1 or 3.
class Pictures {
public:
    Pictures(const std::string& name, const sluice_tensor& tensor) : tensor_(tensor) {
        if (tensor.rank != 4 || !sdk::same(tensor.dtype, sdk::kUint8) || (channels() != 1 && channels() != 3)) {
            throw sdk::Failure(
                SLUICE_INVALID,
                "images: tensor '" + name + "' is " +
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
        throw sdk::Failure(SLUICE_INVALID, "images: samples '" + std::string(sdk::view(event.text)) +
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

Sheet make_sheet(const std::vector<Column>& columns, std::int64_t most_rows) {
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

// "epoch_001" goes to samples/, because there will be many of its kind; "batch_0" goes to the run's folder.
std::filesystem::path file_for(const std::filesystem::path& folder, const std::string& name) {
    return (name == "batch_0" ? folder : folder / "samples") / (name + ".png");
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw sdk::Failure(SLUICE_FAILED, "cannot create folder " + folder.string() + ": " + error.message());
    }
}

}  // namespace

Images::Images(sdk::Host, sdk::Options options) : count_(options.integer("count")) {}

// The events after SAMPLES only serve to retry failed writes.
std::uint64_t Images::wants() const noexcept {
    return (1U << SLUICE_EVENT_RUN_BEGIN) | (1U << SLUICE_EVENT_SAMPLES) | (1U << SLUICE_EVENT_EVALUATION) |
           (1U << SLUICE_EVENT_CHECKPOINT) | (1U << SLUICE_EVENT_RUN_END);
}

void Images::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        folder_ = sdk::view(event.text);
    } else if (event.kind == SLUICE_EVENT_SAMPLES) {
        add(event);
    }
    if (!waiting_.empty()) {
        write_all({[this] { write_out(); }}, kTries);
    }
    if (event.kind == SLUICE_EVENT_RUN_END && lost_ > 0) {
        throw sdk::Failure(SLUICE_FAILED, std::to_string(lost_) +
                                              (lost_ == 1 ? " sheet of samples is" : " sheets of samples are") +
                                              " missing in " + folder_.string() +
                                              ", because it could not be written and only 64 MiB of sheets can wait");
    }
}

void Images::add(const sluice_event& samples) {
    const Sheet sheet = make_sheet(columns_of(samples), count_);
    const std::filesystem::path file = file_for(folder_, std::string(sdk::view(samples.text)));
    std::string content =
        png_of(sheet.pixels(), static_cast<std::uint32_t>(sheet.width()), static_cast<std::uint32_t>(sheet.height()));
    std::erase_if(waiting_, [&](const Waiting& old) { return old.file == file; });
    waiting_.push_back({file, std::move(content)});
    drop_old();
}

// Drops the oldest sheets, so that those that wait take at most kMostWaiting bytes. The newest always stays.
void Images::drop_old() {
    std::size_t bytes = 0;
    for (const Waiting& one : waiting_) {
        bytes += one.content.size();
    }
    while (bytes > kMostWaiting && waiting_.size() > 1) {
        bytes -= waiting_.front().content.size();
        waiting_.erase(waiting_.begin());
        ++lost_;
    }
}

void Images::write_out() {
    while (!waiting_.empty()) {
        make_folder(waiting_.front().file.parent_path());
        replace_file(waiting_.front().file, waiting_.front().content);
        waiting_.erase(waiting_.begin());
    }
}

}  // namespace sluice::observers
