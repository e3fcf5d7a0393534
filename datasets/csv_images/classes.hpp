// Which number a class has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "csv_table.hpp"

namespace sluice::csv_images {

// The classes of the whole table in the order of their numbers: by value where all are whole numbers, else by bytes.
std::vector<std::string> sorted_classes(const CsvTable& table, std::size_t label);

// For each row the place in `classes` of its cell in column `label`. Throws SLUICE_BAD_SAMPLE, with file and line,
// where the cell is empty or has no place.
std::vector<std::int64_t> number_classes(const CsvTable& table, std::size_t label,
                                         const std::vector<std::string>& classes);

// "class 0 is 'cat' (3 lines), 1 'dog' (12)", in part if there are many. `labels`: of the rows, as number_classes()
// gives them.
std::string describe_classes(const std::vector<std::string>& classes, const std::vector<std::int64_t>& labels);

// Names that a person hardly means as classes of their own: 'cat' and 'cat ', 'NaN', '-1'. A sentence for each.
std::vector<std::string> doubtful_classes(const std::vector<std::string>& classes,
                                          const std::vector<std::int64_t>& labels);

// What a source numbers.
struct NamedClasses {
    std::string file;
    std::vector<std::string> classes;  // in the order of their numbers
    bool is_given = false;             // by option `classes`
};

// Throws SLUICE_INVALID, with both files and what would be right, where a number is that of different classes.
void expect_agreement(const NamedClasses& a, const NamedClasses& b);

}  // namespace sluice::csv_images
