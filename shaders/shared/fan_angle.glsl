// The angle of (side, ahead) from straight ahead, as atan(side, ahead) but with an error of a few ulp. Built-in arc
// tangents have errors of 1e-5, a hundredth of a pixel on a curved detector. Two half-angle steps, then the series.
// |angle| < pi.
float fan_angle(float side, float ahead, float distance) {
  float t = side / (ahead + distance);  // tan(angle / 2)
  t = t / (1.0 + sqrt(1.0 + t * t));    // tan(angle / 4)
  float s = t * t;
  float series =
      1.0 +
      s * (-1.0 / 3.0 + s * (1.0 / 5.0 + s * (-1.0 / 7.0 + s * (1.0 / 9.0 + s * (-1.0 / 11.0 + s * (1.0 / 13.0))))));
  return 4.0 * t * series;
}
