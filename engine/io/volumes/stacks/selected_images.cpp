#include "io/volumes/stacks/selected_images.hpp"

#include <backlit/data/reads_rows.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {
namespace {

class SelectedImages final : public StackReader, public ReadsRows {
 public:
  SelectedImages(std::unique_ptr<StackReader> stack, std::vector<std::int64_t> numbers)
      : stack_(std::move(stack)), numbers_(std::move(numbers)), info_(stack_->info()) {
    info_.images = static_cast<std::int64_t>(numbers_.size());
    info_.spacing = info_.center = std::nullopt;
  }
  const StackInfo& info() const override { return info_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    gather(first, count, out, [&](std::int64_t from, std::int64_t n, std::span<float> part) {
      stack_->read(from, n, part);
      return true;
    });
  }
  void look_at_rows(const IndexRange& rows) override { backlit::look_at_rows(*stack_, rows); }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    if (count == 0) return stack_->read_counts(0, 0, out);
    return gather(first, count, out, [&](std::int64_t from, std::int64_t n, std::span<std::uint16_t> part) {
      return stack_->read_counts(from, n, part);
    });
  }

 private:
  /// Neighbours in the stack are read in one go.
  template <class T, class Read>
  bool gather(std::int64_t first, std::int64_t count, std::span<T> out, Read&& read) const {
    check_read(info_, first, count, out.size(), info_.format);
    for (std::int64_t i = first; i < first + count;) {
      const std::int64_t from = numbers_[static_cast<std::size_t>(i)];
      std::int64_t n = 1;
      while (i + n < first + count && numbers_[static_cast<std::size_t>(i + n)] == from + n) ++n;
      const auto values = static_cast<std::size_t>(n * info_.pixels());
      if (!read(from, n, out.first(values))) return false;
      out = out.subspan(values);
      i += n;
    }
    return true;
  }

  std::unique_ptr<StackReader> stack_;
  std::vector<std::int64_t> numbers_;
  StackInfo info_;
};

}  // namespace

std::unique_ptr<StackReader> select_images(std::unique_ptr<StackReader> stack, std::vector<std::int64_t> numbers) {
  return std::make_unique<SelectedImages>(std::move(stack), std::move(numbers));
}

}  // namespace backlit
