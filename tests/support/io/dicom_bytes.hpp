// DICOM files made without the code under test.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

namespace backlit::test {

/// Elements of a file, their types left out (implicit) or not. Tags have to rise.
class DicomBytes {
 public:
  explicit DicomBytes(bool with_types) : with_types_(with_types) {}

  template <class T>
  void binary(const char* type, std::uint32_t tag, std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    element(tag, type, bytes);
  }
  void text(std::uint32_t tag, const char* type, std::string value) {
    if (value.size() % 2) value += std::string(type) == "UI" ? '\0' : ' ';
    element(tag, type, value);
  }
  void element(std::uint32_t tag, const std::string& type, const std::string& value) {
    head(tag, type, static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  /// One item, both of unknown length.
  void open_sequence(std::uint32_t tag) {
    head(tag, "SQ", 0xffffffff);
    mark(0xfffee000, 0xffffffff);
  }
  void close_sequence() {
    mark(0xfffee00d, 0);
    mark(0xfffee0dd, 0);
  }
  /// `syntax`: the transfer syntax; empty: that of these elements.
  std::string file(const std::string& syntax = "") const {
    DicomBytes meta(true);
    meta.text(0x00020010, "UI", !syntax.empty() ? syntax : with_types_ ? "1.2.840.10008.1.2.1" : "1.2.840.10008.1.2");
    std::string all(128, '\0');
    all.append("DICM").append(meta.bytes_).append(bytes_);
    return all;
  }

 private:
  void put(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i));
  }
  void mark(std::uint32_t tag, std::uint32_t length) {
    put(tag >> 16, 2);
    put(tag & 0xffff, 2);
    put(length, 4);
  }
  void head(std::uint32_t tag, const std::string& type, std::uint32_t length) {
    if (!with_types_) return mark(tag, length);
    put(tag >> 16, 2);
    put(tag & 0xffff, 2);
    bytes_ += type;
    const bool wide = type == "OW" || type == "UN" || type == "SQ";
    if (wide) put(0, 2);
    put(length, wide ? 4 : 2);
  }

  bool with_types_;
  std::string bytes_;
};

}  // namespace backlit::test
