// Devices may truncate values to halves, a bias that adds up over views and slices: round to the nearest (ties to even)
// first.
float nearest_half(float x) {
  uint bits = floatBitsToUint(x);
  bits += 0xfffu + (bits >> 13 & 1u);
  return uintBitsToFloat(bits & ~0x1fffu);
}
