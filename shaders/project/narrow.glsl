// Narrows [from, to] to the slices that the ray meets where |at + s step| < reach.
void narrow(float at, float step, float reach, inout float from, inout float to) {
  if (step == 0.0) {
    if (abs(at) >= reach) to = from - 1.0;
    return;
  }
  float low = (-reach - at) / step, high = (reach - at) / step;
  from = max(from, min(low, high));
  to = min(to, max(low, high));
}
