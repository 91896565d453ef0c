#include "io/dicom/element_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>

#include <backlit/core/error.hpp>

namespace backlit::dicom {
namespace {

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string new_uid() {
  std::random_device random;
  std::string digits = "1";  // 38 digits that begin so are less than 2^128
  while (digits.size() < 38) digits += fmt::format("{:09}", random() % 1'000'000'000);
  digits.resize(38);
  return "2.25." + digits;
}

std::string decimal(double value) {
  for (int precision = 15; precision > 1; --precision)
    if (std::string text = fmt::format("{:.{}g}", value, precision); text.size() <= 16) return text;
  return "0";
}

ElementWriter::ElementWriter(std::string_view sop_class, std::string_view sop_instance) {
  ElementWriter meta(*this);
  meta.head(0x00020001, "OB");
  append(meta.bytes_, std::uint16_t{0});
  append(meta.bytes_, std::uint32_t{2});
  append(meta.bytes_, std::uint16_t{0x0100});
  meta.text(0x00020002, "UI", sop_class);
  meta.text(0x00020003, "UI", sop_instance);
  meta.text(0x00020010, "UI", "1.2.840.10008.1.2.1");
  meta.text(0x00020012, "UI", "2.25.237120930155842163117302417412850467301");  // Backlit
  bytes_.assign(128, '\0');
  bytes_ += "DICM";
  head(0x00020000, "UL");
  append(bytes_, std::uint16_t{4});
  append(bytes_, static_cast<std::uint32_t>(meta.bytes_.size()));
  bytes_ += meta.bytes_;
}

void ElementWriter::head(Tag tag, std::string_view type) {
  append(bytes_, static_cast<std::uint16_t>(tag >> 16));
  append(bytes_, static_cast<std::uint16_t>(tag & 0xffff));
  bytes_ += type;
}

void ElementWriter::text(Tag tag, std::string_view type, std::string_view value) {
  const bool odd = value.size() % 2 != 0;
  head(tag, type);
  append(bytes_, static_cast<std::uint16_t>(value.size() + (odd ? 1 : 0)));
  bytes_ += value;
  if (odd) bytes_ += type == "UI" ? '\0' : ' ';
}

void ElementWriter::number(Tag tag, std::uint16_t value) {
  head(tag, "US");
  append(bytes_, std::uint16_t{2});
  append(bytes_, value);
}

void ElementWriter::pixels(std::span<const std::byte> values) {
  head(tags::pixels, "OW");
  append(bytes_, std::uint16_t{0});
  append(bytes_, static_cast<std::uint32_t>(values.size()));
  bytes_.append(reinterpret_cast<const char*>(values.data()), values.size());
}

void ElementWriter::save(const std::filesystem::path& path) const {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbe"), &std::fclose);
  if (!file || std::fwrite(bytes_.data(), 1, bytes_.size(), file.get()) != bytes_.size() ||
      std::fclose(file.release()) != 0)
    throw Failure(path.string(), fmt::format("could not be written: {}", std::strerror(errno)),
                  "make room on the disk or choose another place");
}

}  // namespace backlit::dicom
