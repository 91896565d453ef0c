// Narrows [from, to] to the slices that the ray meets where |at + s step| < reach. Steps of less than a millionth of a
// voxel over a thousand slices count as zero. With a quotient by cos(90 degrees), 6e-17, NVIDIA's driver (580.159) made
// loops that did not end.
void narrow(float at, float step, float reach, inout float from, inout float to) {
  if (abs(step) < 1e-9) {
    if (abs(at) >= reach) to = from - 1.0;
    return;
  }
  float low = (-reach - at) / step, high = (reach - at) / step;
  from = max(from, min(low, high));
  to = min(to, max(low, high));
}
