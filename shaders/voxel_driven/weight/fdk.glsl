// FDK: what a view gives counts by (R / depth)^2.
float weighted(float value, float weight) { return value * weight; }
