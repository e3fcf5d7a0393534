// Formulas in the layers of a model: the text "= 4 * filters" is replaced by a number, computed from parameters.
#pragma once

#include "base/value.hpp"

namespace sluice {

// Returns `written` with every text that begins with "=" replaced by its result, which keeps the origin of the text.
// `parameters` are the names that formulas may use, with their values: numbers, texts, true and false, arrays. In the
// order of precedence, lowest first: `if A then B else C`, `or`, `and`, `not`, == != < <= > >=, + -, * / // %, unary -,
// parentheses. `/` gives a number with a fraction, and `//` rounds down. Texts are written as 'text'.
// Throws Error(Exit::config) with the place of the formula.
Value substitute(const Value& written, const Table& parameters);

}  // namespace sluice
