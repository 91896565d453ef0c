// Makes a stack of some images of another stack.
#pragma once

#include <memory>
#include <vector>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// The images with these numbers, in this order. There must be at least one number, and all must be in the stack.
std::unique_ptr<StackReader> select_images(std::unique_ptr<StackReader>, std::vector<std::int64_t> numbers);

}  // namespace backlit
