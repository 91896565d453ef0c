#include "io/volumes/stacks/ordered_stack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/data/host_array.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {
namespace {

enum Axis : std::size_t { column, row, view };
const std::vector<std::string> names{"column", "row", "view"};

/// What the columns, rows and images of a stack are.
using Axes = std::array<Axis, 3>;

std::int64_t size_of(const StackInfo& info, const Axes& axes, Axis axis) {
  const std::array<std::int64_t, 3> sizes{info.columns, info.rows, info.images};
  return sizes[static_cast<std::size_t>(std::ranges::find(axes, axis) - axes.begin())];
}

/// Views that lie apart from each other in their file, or whose rows and columns are exchanged.
class OrderedStack final : public StackReader {
 public:
  OrderedStack(std::unique_ptr<StackReader> stack, const Axes& axes)
      : stack_(std::move(stack)), axes_(axes), info_(stack_->info()) {
    const StackInfo stored = info_;
    info_.columns = size_of(stored, axes, column);
    info_.rows = size_of(stored, axes, row);
    info_.images = size_of(stored, axes, view);
    info_.spacing = info_.center = std::nullopt;
    info_.pixel_mm = info_.middle_mm = std::nullopt;
    info_.dimensions.clear();
    std::int64_t step = 1;
    for (const Axis axis : axes) steps_[axis] = std::exchange(step, step * size_of(stored, axes, axis));
  }
  const StackInfo& info() const override { return info_; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), info_.format);
    if (axes_[2] == view) {
      stored_.resize(static_cast<std::size_t>(info_.pixels()));
      for (std::int64_t i = 0; i < count; ++i, out = out.subspan(static_cast<std::size_t>(info_.pixels()))) {
        stack_->read(first + i, 1, stored_);
        take(stored_, out);
      }
      return;
    }
    if (whole_.size() == 0) whole_ = stack_->read_all();
    for (std::int64_t i = 0; i < count; ++i, out = out.subspan(static_cast<std::size_t>(info_.pixels())))
      take(std::span<const float>(whole_.span()).subspan(static_cast<std::size_t>((first + i) * steps_[view])), out);
  }

 private:
  /// One view, which begins at the front of `from`.
  void take(std::span<const float> from, std::span<float> to) const {
    for (std::int64_t r = 0; r < info_.rows; ++r)
      for (std::int64_t c = 0; c < info_.columns; ++c)
        to[static_cast<std::size_t>(r * info_.columns + c)] =
            from[static_cast<std::size_t>(r * steps_[row] + c * steps_[column])];
  }

  std::unique_ptr<StackReader> stack_;
  Axes axes_;
  StackInfo info_;
  std::array<std::int64_t, 3> steps_{};  ///< from one column, row and view to the next
  std::vector<float> stored_;            ///< one view as it is in the file
  HostArray<float> whole_;               ///< all of them, where they lie apart
};

std::string example(std::size_t dimensions) {
  return dimensions == 2 ? "order = \"view column\"" : "order = \"view row column\"";
}

/// The words, checked.
std::vector<Axis> axes_named(const std::string& order, std::size_t dimensions) {
  std::istringstream words(order);
  std::vector<Axis> axes;
  for (std::string word; words >> word;) {
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
      throw InputError("", fmt::format("there is no '{}'", word),
                       fmt::format("name dimensions by view, row and column: {}", example(dimensions)));
    const auto axis = static_cast<Axis>(found - names.begin());
    if (std::ranges::count(axes, axis) > 0)
      throw InputError("", fmt::format("{} is there twice", word),
                       fmt::format("name each dimension once: {}", example(dimensions)));
    axes.push_back(axis);
  }
  return axes;
}

/// The axes of the array by the words for its dimensions.
Axes axes_of(const StackInfo& info, std::vector<Axis> named, bool frames) {
  const std::size_t dimensions = info.dimensions.size();
  if (frames && dimensions == 2 && named.size() == 3) std::erase(named, view);
  const bool padded = info.first_fastest && dimensions == 2 && named.size() == 3;  // MATLAB drops a last size of 1
  if (named.size() != dimensions && !padded)
    throw InputError("", fmt::format("{} words for an array of {}", named.size(), fmt::join(info.dimensions, " x ")),
                     fmt::format("name each of its dimensions, such as {}", example(dimensions)));
  if (!info.first_fastest) std::ranges::reverse(named);
  const bool views = std::ranges::count(named, view) > 0;
  if (named.size() == 2 && views && info.images > 1)
    throw InputError("", "each file is an image, and a view of its own", "name row and column alone");
  for (const Axis axis : {view, row, column})
    if (named.size() == 2 && std::ranges::count(named, axis) == 0) named.push_back(axis);
  return {named[0], named[1], named[2]};
}

}  // namespace

std::unique_ptr<StackReader> in_order(std::unique_ptr<StackReader> stack, const std::string& order, bool frames) {
  const StackInfo& info = stack->info();
  if (info.dimensions.empty())
    throw InputError("", fmt::format("{} files hold images, whose order is known", info.format), "leave it out");
  const Axes axes = axes_of(info, axes_named(order, info.dimensions.size()), frames);
  if (axes == Axes{column, row, view}) return stack;
  return std::make_unique<OrderedStack>(std::move(stack), axes);
}

std::string order_that_fits(const StackInfo& info, std::int64_t columns, std::int64_t rows, std::int64_t views) {
  if (info.dimensions.empty()) return "";
  Axes axes{column, row, view};
  std::vector<Axes> fitting;
  const std::array<std::int64_t, 3> wanted{columns, rows, views};
  const auto fits = [&](Axis axis) { return wanted[axis] == 0 || size_of(info, axes, axis) == wanted[axis]; };
  do {
    if (fits(column) && fits(row) && fits(view)) fitting.push_back(axes);
  } while (std::ranges::next_permutation(axes).found);
  if (fitting.size() != 1) return "";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < info.dimensions.size(); ++i) words.push_back(names[fitting.front()[i]]);
  if (!info.first_fastest) std::ranges::reverse(words);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace backlit
