// Devices may cut the digits off that a half has no room for, a bias that grows with the number of views: round to the
// nearest (ties to even) first.
float nearest_half(float x) {
  uint bits = floatBitsToUint(x);
  bits += 0xfffu + (bits >> 13 & 1u);
  return uintBitsToFloat(bits & ~0x1fffu);
}
