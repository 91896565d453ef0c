// The plain sum over views.
float weighted(float value, float weight) { return value; }
