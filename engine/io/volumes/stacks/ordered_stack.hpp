// Arrays whose dimensions are not view, row and column in the usual order, as stacks of views.
#pragma once

#include <array>
#include <memory>
#include <string>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// The views of an array. `order`: "view", "row" and "column", separated by blanks, one for each of its dimensions
/// (StackInfo::dimensions). Of two dimensions, the third has one item; where "view" is not among them, each image is a
/// view. Unless "view" is the slowest dimension, the whole array is read once and kept.
/// `frames`: images beside projections of this order; one alone has two dimensions, those but "view".
/// Throws InputError("", problem, remedy) for an order that the array cannot have.
std::unique_ptr<StackReader> in_order(std::unique_ptr<StackReader>, const std::string& order, bool frames);

/// The order of an array that fits these sizes, of which those that are 0 are unknown; empty where none fits, or more
/// than one does.
std::string order_that_fits(const StackInfo&, std::int64_t columns, std::int64_t rows, std::int64_t views);

}  // namespace backlit
