// FDK: a view's contribution is weighted by (R / depth)^2.
float weighted(float value, float weight) { return value * weight; }
