// Numbers the classes of a CSV file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "csv_table.hpp"

namespace sluice::csv_images {

// The classes of the whole table in the order of their numbers: sorted by value if all are integers, else by bytes.
std::vector<std::string> sorted_classes(const CsvTable& table, std::size_t label);

// For each row, the index in `classes` of its cell in column `label`. Throws SLUICE_BAD_SAMPLE, with file and line, if
// the cell is empty or not in `classes`.
std::vector<std::int64_t> number_classes(const CsvTable& table, std::size_t label,
                                         const std::vector<std::string>& classes);

// "class 0 is 'cat' (3 lines), 1 'dog' (12)"; only the first ones if there are many. `labels`: from number_classes().
std::string describe_classes(const std::vector<std::string>& classes, const std::vector<std::int64_t>& labels);

// Warnings about names that are hardly meant as separate classes, such as 'cat' and 'cat ', 'NaN', '-1'; one sentence
// each.
std::vector<std::string> doubtful_classes(const std::vector<std::string>& classes,
                                          const std::vector<std::int64_t>& labels);

// The classes of a source.
struct NamedClasses {
    std::string file;
    std::vector<std::string> classes;  // in the order of their numbers
    bool is_given = false;             // true: option `classes` gave them
};

// Throws SLUICE_INVALID, with both files and a correct list of classes, if a number has different classes.
void expect_agreement(const NamedClasses& a, const NamedClasses& b);

}  // namespace sluice::csv_images
