// Some images of a stack as a stack of its own.
#pragma once

#include <memory>
#include <vector>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// The images of these numbers, in this order; all of them are the stack's, and there is one at least.
std::unique_ptr<StackReader> select_images(std::unique_ptr<StackReader>, std::vector<std::int64_t> numbers);

}  // namespace backlit
