// usage.csv: what a run uses of the machine, once a second or less often.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::history {

class UsageRows {
public:
    // Takes one line of the file, the header included. A header starts over. Lines with another number of fields are
    // left out. Fields without a number are NaN.
    void add_line(std::string_view line);

    [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
    [[nodiscard]] std::size_t size() const { return rows_; }
    // Values of a column, a row each; empty if there is no such column.
    [[nodiscard]] std::vector<double> column(std::string_view name) const;
    // The value of the last row; NaN if there is none.
    [[nodiscard]] double last(std::string_view name) const;

private:
    std::vector<std::string> columns_;
    std::vector<std::vector<double>> values_;  // by column
    std::size_t rows_ = 0;
};

}  // namespace sluice::history
